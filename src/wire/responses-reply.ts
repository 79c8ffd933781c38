import { readUsage } from '../compaction/tokens/read-usage.ts';
import { isRecord } from '../language/is-record.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { errorIn } from './openai-error.ts';
import { replyOf } from './responses-items.ts';
import type { ReplyReader, WireReply } from './wire.ts';

const ends: ReadonlySet<unknown> = new Set(['completed', 'incomplete', 'failed']);

/** Reads a reply of the responses protocol, from its events or as a whole. */
export class ResponsesReply implements ReplyReader {
  /** Whole items, by their position. */
  private readonly items = new Map<number, Fields>();
  /** Pieces of texts whose items are not yet whole. */
  private readonly pieces = new Map<number, string[]>();
  private more: Omit<WireReply, 'chat'> = { isComplete: false };
  private hasReport = false;

  take(data: unknown): void {
    if (!isRecord(data)) return;
    const { type, response, item, delta, error } = data;
    const place = typeof data['output_index'] === 'number' ? data['output_index'] : this.items.size;
    if (type === 'response.output_item.done' && isRecord(item)) this.items.set(place, item);
    else if (type === 'response.output_text.delta' && typeof delta === 'string') this.add(place, delta);
    else if (isRecord(response)) this.takeWhole(response);
    else if (data['object'] === 'response' || Array.isArray(data['output'])) this.takeWhole(data);
    else if (type === 'error' || isRecord(error)) this.note({ error: errorIn(error ?? data) });
  }

  get reply(): WireReply | undefined {
    const places = [...new Set([...this.items.keys(), ...this.pieces.keys()])].sort(
      (one, other) => one - other,
    );
    if (places.length === 0 && !this.hasReport) return undefined;
    const items = places.map((place): Fields => {
      const text = () => (this.pieces.get(place) ?? []).join('');
      return (
        this.items.get(place) ?? {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: text() }],
        }
      );
    });
    return { ...this.more, chat: replyOf(items) };
  }

  private add(place: number, text: string): void {
    const known = this.pieces.get(place);
    if (known === undefined) this.pieces.set(place, [text]);
    else known.push(text);
  }

  private takeWhole(response: Fields): void {
    const { model, usage, status, error } = response;
    const output = recordsIn(response['output']);
    output.forEach((item, place) => this.items.set(place, item));
    if (typeof model === 'string' && model !== '') this.more = { ...this.more, model };
    const reported = readUsage(usage);
    if (reported !== undefined) this.note({ usage: reported });
    if (isRecord(error)) this.note({ error: errorIn(error) });
    if (ends.has(status) && wordIn(status) !== 'failed') this.note({ isComplete: true });
    const reason = wordIn(fieldsOf(response['incomplete_details'])['reason']);
    if (reason !== '') this.note({ error: reason });
  }

  private note(more: Partial<Omit<WireReply, 'chat'>>): void {
    this.hasReport = true;
    this.more = { ...this.more, ...more };
  }
}
