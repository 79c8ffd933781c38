import { textOf } from '../compaction/messages/message.ts';
import { isRecord } from '../language/is-record.ts';
import { type Fields, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { wireContent } from './content.ts';
import { openaiError } from './openai-error.ts';
import { messagesOfItems } from './responses-items.ts';
import { ResponsesReply } from './responses-reply.ts';
import { itemWriter } from './responses-written.ts';
import { wireTool } from './tool-server.ts';
import type { Wire, WireMessage, WireTool } from './wire.ts';

/** The responses protocol of OpenAI. A reply consists of several items, which become one message. */
export const responsesWire: Wire = {
  id: 'responses',
  title: 'OpenAI responses',
  asks(path) {
    if (/\/responses(?:\/compact)?$/u.test(path)) return 'reply';
    return /\/responses\/input_tokens$/u.test(path) ? 'count' : undefined;
  },
  readRequest(body) {
    const messages = messagesIn(body);
    if (messages === undefined) return undefined;
    const session = wordIn(body['prompt_cache_key']);
    return {
      model: wordIn(body['model']) || undefined,
      tools: recordsIn(body['tools']).flatMap((tool) => toolsOf(tool)),
      messages: [...instructionsIn(body), ...messages],
      ...(session !== '' && { session }),
    };
  },
  createReplyReader: () => new ResponsesReply(),
  withMessages(body, messages) {
    const write = itemWriter(messagesIn(body) ?? []);
    const sent = messages.find(isInstructions);
    const [first] = messages;
    // A prompt that was rewritten stays in its field.
    const isRewritten =
      sent === undefined && instructionsIn(body).length > 0 && first !== undefined && isOwnPrompt(first);
    const items = messages
      .filter((message) => message !== sent && !(isRewritten && message === first))
      .flatMap(({ chat, raw }) => (raw.length > 0 ? raw : write(chat)));
    const input = inputOf(body['input'], items);
    if (isRewritten) return { ...body, instructions: textOf(first.chat.content), input };
    if (sent !== undefined || instructionsIn(body).length === 0) return { ...body, input };
    const { instructions: _removed, ...others } = body;
    return { ...others, input };
  },
  errorBody: openaiError,
};

function messagesIn({ input }: Fields): readonly WireMessage[] | undefined {
  if (typeof input === 'string') return [{ chat: { role: 'user', content: input }, raw: [input] }];
  return Array.isArray(input) ? messagesOfItems(input) : undefined;
}

function instructionsIn({ instructions }: Fields): readonly WireMessage[] {
  if (instructions === undefined || instructions === null || instructions === '') return [];
  return [{ chat: { role: 'system', content: wireContent(instructions) }, raw: [{ instructions }] }];
}

function isInstructions({ raw: [part] }: WireMessage): boolean {
  return isRecord(part) && Object.keys(part).length === 1 && 'instructions' in part;
}

function isOwnPrompt({ chat: { role }, raw }: WireMessage): boolean {
  return raw.length === 0 && (role === 'system' || role === 'developer');
}

/** A request may be a single text. Next to other items, that text is a message. */
function inputOf(sent: unknown, items: readonly unknown[]): unknown {
  if (typeof sent !== 'string') return items;
  if (items.length === 1 && items[0] === sent) return sent;
  return items.map((item) => (typeof item === 'string' ? { role: 'user', content: item } : item));
}

/** A tool group declares several tools. A tool that the provider runs has a type and no name. */
function toolsOf(declared: Fields, group?: string): readonly WireTool[] {
  const { name, type, description } = declared;
  if (type === 'namespace') {
    return recordsIn(declared['tools']).flatMap((tool) => toolsOf(tool, wordIn(name)));
  }
  const parameters =
    declared['parameters'] ?? (type === 'custom' ? { format: declared['format'] } : declared);
  const isDeferred = declared['defer_loading'] === true;
  return [wireTool({ name: wordIn(name) || wordIn(type), description, parameters, isDeferred }, group)];
}
