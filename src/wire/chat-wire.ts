import type { ChatMessage, Role, ToolCall, ToolSchema } from '../compaction/messages/message.ts';
import { readUsage } from '../compaction/tokens/read-usage.ts';
import { isRecord } from '../language/is-record.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { callOf } from '../transcripts/reading/transcript-format.ts';
import { contentOf } from './content.ts';
import { errorIn, openaiError } from './openai-error.ts';
import { wireTool } from './tool-server.ts';
import type { ReplyReader, Wire, WireMessage, WireReply, WireTool } from './wire.ts';

/** The chat completions protocol of OpenAI, which most providers understand. */
export const chatWire: Wire = {
  id: 'chat',
  title: 'OpenAI chat completions',
  asks: (path) => (/\/chat\/completions$/u.test(path) ? 'reply' : undefined),
  readRequest(body) {
    const { messages } = body;
    if (!Array.isArray(messages)) return undefined;
    const session = wordIn(body['prompt_cache_key']);
    return {
      model: wordIn(body['model']) || undefined,
      isStream: body['stream'] === true,
      tools: [...recordsIn(body['tools']).map(toolOf), ...recordsIn(body['functions']).map(namedTool)],
      messages: (messages as readonly unknown[]).map(messageOf),
      ...(session !== '' && { session }),
    };
  },
  createReplyReader: () => new ChatReply(),
  withMessages: (body, messages) => ({
    ...body,
    messages: messages.flatMap(({ chat, raw }) => (raw.length > 0 ? raw : [writtenOf(chat)])),
  }),
  errorBody: openaiError,
};

/** The declaration stays as it was sent, because all of it counts. */
function toolOf(declared: Fields): WireTool {
  const named = namedTool(fieldsOf(declared['function'] ?? declared));
  return isRecord(declared['function']) ? { ...named, schema: declared as unknown as ToolSchema } : named;
}

/** Returns a tool by its name. A tool that the provider runs has a type and no name. */
function namedTool(declared: Fields): WireTool {
  const { name, type, description, parameters = declared } = declared;
  return wireTool({ name: wordIn(name) || wordIn(type), description, parameters });
}

const roleNames: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
};

function messageOf(item: unknown): WireMessage {
  const fields = fieldsOf(item);
  const said = wordIn(fields['role']);
  const role = Object.hasOwn(roleNames, said) ? roleNames[said]! : 'user';
  const calls = callsIn(fields);
  const reasoning = reasoningIn(fields);
  const chat: ChatMessage = {
    role,
    content: isRecord(item) ? contentOf(item['content'] ?? item['refusal']) : contentOf(item),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(role === 'tool' && { tool_call_id: wordIn(fields['tool_call_id']) || wordIn(fields['name']) }),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
  };
  return { chat, raw: [item] };
}

function callsIn({ tool_calls: calls, function_call: call }: Fields): readonly ToolCall[] {
  const list = [
    ...recordsIn(calls),
    ...(isRecord(call) ? [{ id: wordIn(call['name']), function: call }] : []),
  ];
  return list.map((one) => {
    // A custom tool takes text instead of JSON.
    const called = fieldsOf(one['function'] ?? one['custom']);
    return callOf(wordIn(one['id']), wordIn(called['name']), wordIn(called['arguments'] ?? called['input']));
  });
}

/** Reads the thinking of a message, under the names that providers use. */
function reasoningIn({ reasoning_content: content, reasoning, reasoning_details: details }: Fields): string {
  const texts = [content, reasoning].map(wordIn).filter((text) => text !== '');
  return (
    texts[0] ??
    recordsIn(details)
      .map(({ text, summary }) => wordIn(text ?? summary))
      .join('')
  );
}

/** Returns a message in the form of the protocol, without reasoning, which belongs to the provider's own messages. */
function writtenOf({ role, content, tool_calls: calls = [], tool_call_id: id }: ChatMessage): Fields {
  return {
    role,
    content,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(role === 'tool' && { tool_call_id: id ?? '' }),
  };
}

interface CallPieces {
  id: string;
  name: string;
  readonly inputs: string[];
}

class ChatReply implements ReplyReader {
  private readonly texts: string[] = [];
  private readonly thoughts: string[] = [];
  private readonly calls = new Map<number, CallPieces>();
  private more: Omit<WireReply, 'chat'> = { isComplete: false };
  private hasSaid = false;

  take(data: unknown): void {
    if (!isRecord(data)) return;
    const { error, usage, timings, model } = data;
    const reported = readUsage(usage, timings);
    if (reported !== undefined) this.note({ usage: reported });
    if (typeof model === 'string' && model !== '') this.note({ model });
    if (isRecord(error) || typeof error === 'string') this.note({ error: errorIn(error) });
    for (const choice of recordsIn(data['choices']).slice(0, 1)) {
      this.add(fieldsOf(choice['delta'] ?? choice['message']));
      if (typeof choice['finish_reason'] === 'string') this.note({ isComplete: true });
    }
  }

  get reply(): WireReply | undefined {
    if (!this.hasSaid) return undefined;
    const text = this.texts.join('');
    const thought = this.thoughts.join('');
    const calls = [...this.calls.values()].map(({ id, name, inputs }) => callOf(id, name, inputs.join('')));
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
    this.hasSaid ||= more.model === undefined;
    this.more = { ...this.more, ...more };
  }

  private add(piece: Fields): void {
    const { content, refusal } = piece;
    const text =
      typeof content === 'string'
        ? content
        : recordsIn(content)
            .map((part) => wordIn(part['text']))
            .join('');
    if (text !== '') this.texts.push(text);
    if (typeof refusal === 'string') this.texts.push(refusal);
    const thought = reasoningIn(piece);
    if (thought !== '') this.thoughts.push(thought);
    const calls = recordsIn(piece['tool_calls']);
    calls.forEach((call, position) => {
      const place = typeof call['index'] === 'number' ? call['index'] : position;
      const known = this.calls.get(place) ?? { id: '', name: '', inputs: [] };
      this.calls.set(place, known);
      const called = fieldsOf(call['function'] ?? call['custom']);
      known.id ||= wordIn(call['id']);
      known.name ||= wordIn(called['name']);
      known.inputs.push(wordIn(called['arguments'] ?? called['input']));
    });
    this.hasSaid ||= text !== '' || thought !== '' || calls.length > 0 || typeof refusal === 'string';
  }
}
