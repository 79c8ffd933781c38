import type { ChatMessage, ToolCall } from '../compaction/messages/message.ts';
import { isRecord } from '../language/is-record.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { callOf } from '../transcripts/reading/transcript-format.ts';
import { wireContent } from './content.ts';
import type { WireMessage } from './wire.ts';

/** Reads items. The items of a reply follow one another and become one message. */
export function messagesOfItems(items: readonly unknown[]): readonly WireMessage[] {
  const messages: WireMessage[] = [];
  let reply: unknown[] = [];
  const endReply = () => {
    if (reply.length > 0) messages.push({ chat: replyOfItems(reply.map(fieldsOf)), raw: reply });
    reply = [];
  };
  for (const item of items) {
    const fields = fieldsOf(item);
    if (isOfReply(fields)) reply.push(item);
    else {
      endReply();
      messages.push({ chat: messageOf(item, fields), raw: [item] });
    }
  }
  endReply();
  return messages;
}

/** Types of items in replies, apart from messages and calls. */
const replyTypes: ReadonlySet<unknown> = new Set([
  'reasoning',
  'item_reference',
  'mcp_list_tools',
  'mcp_approval_request',
]);

/** Types of calls that the provider itself runs. No result follows them. */
const providerCalls: ReadonlySet<unknown> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
]);

function isOfReply(item: Fields): boolean {
  const kind = wordIn(item['type']);
  if (kind === '' || kind === 'message') return item['role'] === 'assistant';
  return replyTypes.has(kind) || kind.endsWith('_call') || isFoundByProvider(item);
}

/** True for a call that the client answers. */
export function isCall(item: Fields): boolean {
  const { type } = item;
  return wordIn(type).endsWith('_call') && !providerCalls.has(type) && item['execution'] !== 'server';
}

/** True for tools that the provider found by its own search. */
function isFoundByProvider({ type, execution }: Fields): boolean {
  return type === 'tool_search_output' && execution === 'server';
}

/** Joins the items of a reply: texts, reasoning and calls. */
export function replyOfItems(items: readonly Fields[]): ChatMessage {
  const thoughts = items
    .filter(({ type }) => type === 'reasoning')
    .flatMap(({ summary, content }) => [...recordsIn(summary), ...recordsIn(content)])
    .map(({ text }) => wordIn(text));
  const calls = items.filter(isCall).map(callIn);
  return {
    role: 'assistant',
    content: wireContent(items.flatMap(saidIn)),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join('\n') }),
  };
}

/** Returns what an item of a reply adds to its content. */
function saidIn(item: Fields): readonly unknown[] {
  const { type, role, content, result } = item;
  if (type === 'reasoning' || isCall(item)) return [];
  if (type === 'message' || role === 'assistant') {
    // The reply to a compaction repeats messages of the user.
    if (content === undefined || content === null || role === 'user') return [];
    return Array.isArray(content) ? (content as readonly unknown[]) : [content];
  }
  if (type === 'image_generation_call' && typeof result === 'string') {
    return [{ type: 'input_image', image_url: `data:image/png;base64,${result}` }];
  }
  // Clients leave these out when they send the item back, and the model does not read them.
  const { id: _id, status: _status, ...read } = item;
  return [JSON.stringify(type === 'item_reference' ? item : read)];
}

/** Reads a call of any type. */
export function callIn(item: Fields): ToolCall {
  const { type, call_id: callId, id, name } = item;
  const input = item[inputField(item)];
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  return callOf(wordIn(callId) || wordIn(id), wordIn(name) || wordIn(type).replace(/_call$/u, ''), text);
}

/** Returns the name of the field with the arguments of a call. */
export function inputField(item: Fields): string {
  return ['arguments', 'input', 'action', 'operation', 'actions'].find((name) => name in item) ?? 'arguments';
}

function messageOf(item: unknown, fields: Fields): ChatMessage {
  const type = wordIn(fields['type']);
  if (type.endsWith('_output')) {
    const output = fields['output'] ?? fields['tools'] ?? fields['result'];
    return { role: 'tool', content: wireContent(output) ?? '', tool_call_id: wordIn(fields['call_id']) };
  }
  const role = wordIn(fields['role']);
  const isMessage = (type === '' || type === 'message') && role !== '';
  return {
    role: role === 'system' || role === 'developer' ? role : 'user',
    content: isMessage ? wireContent(fields['content']) : JSON.stringify(item),
  };
}

/** True for a list of content parts. */
export function isParts(value: unknown): boolean {
  return Array.isArray(value) && value.every((part) => isRecord(part) && typeof part['type'] === 'string');
}
