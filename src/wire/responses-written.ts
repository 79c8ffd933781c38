import {
  type ChatMessage,
  type ContentPart,
  contentParts,
  isBlank,
  type ToolCall,
} from '../compaction/messages/message.ts';
import { imageUrl } from '../compaction/images/image-part.ts';
import { isRecord } from '../language/is-record.ts';
import { parseShallow } from '../compaction/text/parse-json.ts';
import { type Fields, fieldsOf, wordIn } from '../transcripts/reading/fields.ts';
import { callIn, inputField, isCall, isParts } from './responses-items.ts';
import type { WireMessage } from './wire.ts';

/**
 * Returns how messages that are not from the body are written: with the items of the body for the same calls, if there
 * are some, because calls depend on the reasoning in front of them, and a result has the type of its call.
 *
 * @param sent messages of the body
 */
export function itemWriter(sent: readonly WireMessage[]): (chat: ChatMessage) => readonly Fields[] {
  const replies = new Map<string, readonly Fields[]>();
  const results = new Map<string, Fields>();
  const types = new Map<string, string>();
  for (const { chat, raw } of sent) {
    const items = raw.map(fieldsOf);
    for (const { id } of chat.tool_calls ?? []) replies.set(id, items);
    for (const item of items.filter(isCall)) types.set(callIn(item).id, wordIn(item['type']));
    if (chat.role === 'tool') results.set(chat.tool_call_id ?? '', items[0] ?? {});
  }
  return (chat) => {
    const { role, tool_calls: calls = [], tool_call_id: id = '' } = chat;
    if (role !== 'tool') return writtenItems(chat, replies.get(calls[0]?.id ?? '') ?? []);
    const type = `${types.get(id) ?? 'function_call'}_output`;
    return [writtenResult(chat, results.get(id) ?? { type, call_id: id, output: '' })];
  };
}

/** Replaces the output of a result. An output that is no text stays, because only its own form is accepted. */
function writtenResult({ content }: ChatMessage, result: Fields): Fields {
  const { output } = result;
  if (typeof output !== 'string' && !isParts(output)) return result;
  return { ...result, output: typeof content === 'string' ? content : writtenParts(content, 'input_text') };
}

/** @param reply items of the reply in the body that made the calls */
function writtenItems(
  { role, content, tool_calls: calls = [] }: ChatMessage,
  reply: readonly Fields[],
): readonly Fields[] {
  const parts = writtenParts(content, role === 'assistant' ? 'output_text' : 'input_text');
  const said = isBlank(content) ? [] : [{ type: 'message', role, content: parts }];
  const known = new Set(reply.filter(isCall).map((item) => callIn(item).id));
  const made = new Map(calls.map((call) => [call.id, call]));
  const place = reply.findIndex((item) => item['type'] === 'message' || isCall(item));
  const kept = reply.map((item, index): readonly Fields[] => {
    const call = isCall(item) ? made.get(callIn(item).id) : undefined;
    return [
      ...(index === place ? said : []),
      ...(item['type'] === 'reasoning' ? [item] : []),
      ...(call === undefined ? [] : [writtenCall(call, item)]),
    ];
  });
  const others = calls.filter(({ id }) => !known.has(id));
  return [...(place < 0 ? said : []), ...kept.flat(), ...others.map(functionCall)];
}

function writtenCall(call: ToolCall, item: Fields): Fields {
  const text = call.function.arguments;
  if (callIn(item).function.arguments === text) return item;
  const field = inputField(item);
  return { ...item, [field]: isRecord(item[field]) ? (parseShallow(text)?.value ?? item[field]) : text };
}

function functionCall({ id, function: { name, arguments: input } }: ToolCall): Fields {
  return { type: 'function_call', call_id: id, name, arguments: input };
}

function writtenParts(content: ChatMessage['content'], type: string): readonly Fields[] {
  return contentParts(content).map((part: ContentPart): Fields => {
    if (part.type === 'text') return { type, text: part.text ?? '' };
    const url = imageUrl(part);
    return url === undefined ? part : { type: 'input_image', image_url: url };
  });
}
