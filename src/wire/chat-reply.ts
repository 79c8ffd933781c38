import { readUsage } from '../compaction/tokens/read-usage.ts';
import { isRecord } from '../language/is-record.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { callOf } from '../transcripts/reading/transcript-format.ts';
import { chatCallIn, chatCallsIn, reasoningIn } from './chat-messages.ts';
import { errorIn } from './openai-error.ts';
import type { ReplyReader, WireReply } from './wire.ts';

interface CallPieces {
  id: string;
  name: string;
  readonly inputs: string[];
}

/** Reads a reply of chat completions, from the chunks of a stream or as a whole. */
export class ChatReply implements ReplyReader {
  private readonly texts: string[] = [];
  private readonly thoughts: string[] = [];
  private readonly calls: CallPieces[] = [];
  /** The last call at each index. */
  private readonly places = new Map<number, CallPieces>();
  private more: Omit<WireReply, 'chat'> = { isComplete: false };
  private hasSaid = false;

  take(data: unknown): void {
    if (!isRecord(data)) return;
    const { error, timings, model } = data;
    const choice = recordsIn(data['choices']).find(({ index = 0 }) => index === 0) ?? {};
    const { delta, message, finish_reason: end } = choice;
    // Moonshot puts the usage in the choice.
    const usage = readUsage(data['usage'] ?? choice['usage'], timings);
    if (usage !== undefined) this.note({ usage });
    if (typeof model === 'string' && model !== '') this.more = { ...this.more, model };
    if (isRecord(error) || typeof error === 'string') this.note({ error: errorIn(error) });
    this.add(fieldsOf(delta ?? message));
    if (typeof end === 'string' || isRecord(message)) this.note({ isComplete: true });
  }

  get reply(): WireReply | undefined {
    if (!this.hasSaid) return undefined;
    const text = this.texts.join('');
    const thought = this.thoughts.join('');
    const calls = this.calls.map(({ id, name, inputs }) => callOf(id, name, inputs.join('')));
    return {
      ...this.more,
      chat: {
        role: 'assistant',
        content: text === '' ? null : text,
        ...(calls.length > 0 && { tool_calls: calls }),
        ...(thought !== '' && { reasoning_content: thought }),
      },
    };
  }

  private note(more: Partial<Omit<WireReply, 'chat'>>): void {
    this.hasSaid = true;
    this.more = { ...this.more, ...more };
  }

  private add(piece: Fields): void {
    const { content, refusal } = piece;
    const texts = [...recordsIn(content).map(({ text }) => text), content, refusal].map(wordIn).join('');
    const thought = reasoningIn(piece);
    if (texts !== '') this.texts.push(texts);
    if (thought !== '') this.thoughts.push(thought);
    const calls = chatCallsIn(piece);
    calls.forEach((call, position) => this.addCall(call, position));
    this.hasSaid ||= texts !== '' || thought !== '' || calls.length > 0;
  }

  /** @param position position of the piece in its chunk, for servers that leave the index out */
  private addCall(piece: Fields, position: number): void {
    const index = typeof piece['index'] === 'number' ? piece['index'] : position;
    const id = wordIn(piece['id']);
    const [name, input] = chatCallIn(piece);
    let call = this.places.get(index);
    // Some servers send every call at the same index.
    if (call === undefined || (id !== '' && call.id !== '' && id !== call.id)) {
      call = { id: '', name: '', inputs: [] };
      this.places.set(index, call);
      this.calls.push(call);
    }
    call.id ||= id;
    call.name ||= name;
    call.inputs.push(input);
  }
}
