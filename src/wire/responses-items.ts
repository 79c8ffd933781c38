import type { ChatMessage, ToolCall } from '../compaction/messages/message.ts';
import { isRecord } from '../language/is-record.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { callOf } from '../transcripts/reading/transcript-format.ts';
import { contentOf } from './content.ts';
import type { WireMessage } from './wire.ts';

/** Reads items. The items of a reply follow one another and become one message. */
export function messagesOfItems(items: readonly unknown[]): readonly WireMessage[] {
  const messages: WireMessage[] = [];
  let reply: unknown[] = [];
  const endReply = () => {
    if (reply.length > 0) messages.push({ chat: replyOf(reply.map(fieldsOf)), raw: reply });
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

function isOfReply({ type, role }: Fields): boolean {
  const kind = wordIn(type);
  if (kind === '' || kind === 'message') return role === 'assistant';
  return kind === 'reasoning' || kind.endsWith('_call');
}

/** Joins the items of a reply: texts, reasoning and calls. */
export function replyOf(items: readonly Fields[]): ChatMessage {
  const said = items.filter(({ type, role }) => role === 'assistant' || type === 'message');
  const content = contentOf(
    said.flatMap(({ content: parts }) => (Array.isArray(parts) ? (parts as unknown[]) : [parts])),
  );
  const thoughts = items
    .filter(({ type }) => type === 'reasoning')
    .flatMap(({ summary, content: parts }) => [...recordsIn(summary), ...recordsIn(parts)])
    .map(({ text }) => wordIn(text));
  const calls = items.filter(({ type }) => wordIn(type).endsWith('_call')).map(callIn);
  return {
    role: 'assistant',
    content: said.length === 0 ? null : content,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join('\n') }),
  };
}

/** Reads a call of any type. A call that the provider itself runs has no arguments, so that its item stands for them. */
function callIn(item: Fields): ToolCall {
  const { type, call_id: callId, id, name } = item;
  const input = item['arguments'] ?? item['input'] ?? item['action'];
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  return callOf(wordIn(callId) || wordIn(id), wordIn(name) || wordIn(type).replace(/_call$/u, ''), text);
}

function messageOf(item: unknown, fields: Fields): ChatMessage {
  const type = wordIn(fields['type']);
  if (type.endsWith('_output')) {
    const output = fields['output'] ?? fields['tools'] ?? fields['result'];
    return {
      role: 'tool',
      content:
        typeof output === 'string' || isParts(output) ? contentOf(output) : JSON.stringify(output ?? ''),
      tool_call_id: wordIn(fields['call_id']),
    };
  }
  const role = wordIn(fields['role']);
  const isMessage = (type === '' || type === 'message') && role !== '';
  return {
    role: role === 'system' || role === 'developer' ? role : 'user',
    content: isMessage ? contentOf(fields['content']) : JSON.stringify(item),
  };
}

function isParts(value: unknown): boolean {
  return Array.isArray(value) && value.every((part) => isRecord(part) && typeof part['type'] === 'string');
}
