import { type ChatMessage, textOf } from '../compaction/messages/message.ts';
import { isRecord } from '../language/is-record.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { openaiError } from './openai-error.ts';
import { messagesOfItems } from './responses-items.ts';
import { ResponsesReply } from './responses-reply.ts';
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
    const { instructions, input } = body;
    if (typeof input !== 'string' && !Array.isArray(input)) return undefined;
    const session = wordIn(body['prompt_cache_key']);
    return {
      model: wordIn(body['model']) || undefined,
      isStream: body['stream'] === true,
      tools: recordsIn(body['tools']).flatMap((tool) => toolsOf(tool)),
      messages: [
        ...(typeof instructions === 'string' && instructions !== ''
          ? [{ chat: { role: 'system', content: instructions } as const, raw: [{ instructions }] }]
          : []),
        ...(typeof input === 'string'
          ? [{ chat: { role: 'user', content: input } as const, raw: [input] }]
          : messagesOfItems(input as readonly unknown[])),
      ],
      ...(session !== '' && { session }),
    };
  },
  createReplyReader: () => new ResponsesReply(),
  withMessages(body, messages) {
    const types = callTypes(messages);
    const [first] = messages;
    const instructions = isInstructions(first) ? fieldsOf(first.raw[0])['instructions'] : undefined;
    const rest = instructions === undefined ? messages : messages.slice(1);
    const items = rest.flatMap(({ chat, raw }) => (raw.length > 0 ? raw : itemsOf(chat, types)));
    // A request may be a single text. Next to other items, that text is a message.
    const [text] = items;
    const wasText = typeof body['input'] === 'string';
    const input =
      wasText && items.length === 1 && typeof text === 'string'
        ? text
        : items.map((item) => (wasText && typeof item === 'string' ? { role: 'user', content: item } : item));
    if (instructions !== undefined || wordIn(body['instructions']) === '') return { ...body, input };
    const { instructions: _removed, ...others } = body;
    return { ...others, input };
  },
  errorBody: openaiError,
};

/** A tool group declares several tools. A tool that the provider runs has a type and no name. */
function toolsOf(declared: Fields, group?: string): readonly WireTool[] {
  const { name, type, description } = declared;
  if (type === 'namespace') {
    return recordsIn(declared['tools']).flatMap((tool) => toolsOf(tool, wordIn(name)));
  }
  const parameters =
    declared['parameters'] ?? (type === 'custom' ? { format: declared['format'] } : declared);
  return [wireTool({ name: wordIn(name) || wordIn(type), description, parameters }, group)];
}

function isInstructions(message: WireMessage | undefined): message is WireMessage {
  const [part] = message?.raw ?? [];
  return isRecord(part) && Object.keys(part).length === 1 && typeof part['instructions'] === 'string';
}

/** Id of a call → type of its item, because a result has the type of its call. */
function callTypes(messages: readonly WireMessage[]): ReadonlyMap<string, string> {
  const items = messages.flatMap(({ raw }) => recordsIn(raw));
  return new Map(
    items.flatMap(({ type, call_id: id }) =>
      wordIn(type).endsWith('_call') ? [[wordIn(id), wordIn(type)]] : [],
    ),
  );
}

function itemsOf(
  { role, content, tool_calls: calls = [], tool_call_id: callId = '' }: ChatMessage,
  types: ReadonlyMap<string, string>,
): readonly Fields[] {
  if (role === 'tool') {
    return [
      { type: `${types.get(callId) ?? 'function_call'}_output`, call_id: callId, output: textOf(content) },
    ];
  }
  const text = role === 'assistant' ? 'output_text' : 'input_text';
  const parts =
    typeof content === 'string'
      ? [{ type: text, text: content }]
      : (content ?? []).map((part) =>
          part.type === 'image_url'
            ? { type: 'input_image', image_url: fieldsOf(part['image_url'])['url'] }
            : { type: text, text: part.text ?? '' },
        );
  return [
    ...(parts.length === 0 ? [] : [{ type: 'message', role, content: parts }]),
    ...calls.map(({ id, function: { name, arguments: input } }) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: input,
    })),
  ];
}
