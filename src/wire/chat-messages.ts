import type { ChatMessage, Role, ToolCall } from '../compaction/messages/message.ts';
import { isRecord } from '../language/is-record.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { callOf } from '../transcripts/reading/transcript-format.ts';
import { wireContent } from './content.ts';
import type { WireMessage } from './wire.ts';

const roleNames: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
};

/** Reads a message of a request. */
export function readMessage(item: unknown): WireMessage {
  const fields = fieldsOf(item);
  const said = wordIn(fields['role']);
  const role = Object.hasOwn(roleNames, said) ? roleNames[said]! : 'user';
  const calls = chatCallsIn(fields).map(callIn);
  const reasoning = reasoningIn(fields);
  const chat: ChatMessage = {
    role,
    content: isRecord(item) ? spokenIn(fields) : wireContent(item),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(role === 'tool' && { tool_call_id: resultId(fields) }),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
  };
  return { chat, raw: [item] };
}

function spokenIn({ content, refusal }: Fields): ChatMessage['content'] {
  const parts: readonly unknown[] | undefined = Array.isArray(content) ? content : undefined;
  return wireContent(parts?.filter((part) => !isThinking(part)) ?? content ?? refusal);
}

/** True for a part with reasoning. Mistral sends it with the content. */
function isThinking(part: unknown): boolean {
  return isRecord(part) && part['type'] === 'thinking';
}

/** Reads the reasoning of a message, under the names that providers use. The first with a text counts. */
export function reasoningIn(message: Fields): string {
  const { reasoning_content: field, reasoning, reasoning_details: details, content } = message;
  return (
    wordIn(field) ||
    wordIn(reasoning) ||
    recordsIn(details)
      .map(({ text, summary }) => wordIn(text ?? summary))
      .join('') ||
    recordsIn(content)
      .filter(isThinking)
      .flatMap(({ thinking }) => (typeof thinking === 'string' ? [{ text: thinking }] : recordsIn(thinking)))
      .map(({ text }) => wordIn(text))
      .join('')
  );
}

/** Returns the calls of a message. A call of the first form of the protocol has no id; its name stands for it. */
export function chatCallsIn({ tool_calls: calls, function_call: call }: Fields): readonly Fields[] {
  return [...recordsIn(calls), ...(isRecord(call) ? [{ id: call['name'], function: call }] : [])];
}

function resultId({ tool_call_id: id, name }: Fields): string {
  return wordIn(id) || wordIn(name);
}

function callIn(call: Fields): ToolCall {
  return callOf(wordIn(call['id']), ...chatCallIn(call));
}

/** Returns name and arguments of a call, or of a piece of it. A custom tool takes text instead of JSON. */
export function chatCallIn(call: Fields): readonly [name: string, input: string] {
  const called = fieldsOf(call['function'] ?? call['custom']);
  const input = called['arguments'] ?? called['input'];
  return [wordIn(called['name']), isRecord(input) ? JSON.stringify(input) : wordIn(input)];
}

/**
 * Returns how messages that are not from the body are written: as a message of the body with the same calls or of the
 * same call, if there is one, because reasoning and signatures of calls are other fields of it.
 */
export function chatWriter(sent: readonly Fields[]): (chat: ChatMessage) => Fields {
  const callers = new Map<string, Fields>();
  const results = new Map<string, Fields>();
  for (const message of sent) {
    const { role } = message;
    if (role === 'tool' || role === 'function') results.set(resultId(message), message);
    else for (const { id } of chatCallsIn(message)) callers.set(wordIn(id), message);
  }
  return ({ role, content, tool_calls: calls = [], tool_call_id: id = '' }) => {
    if (role === 'tool') return { ...(results.get(id) ?? { role, tool_call_id: id }), content };
    const [first] = calls;
    if (first === undefined) return { role, content };
    const caller = callers.get(first.id);
    if (isRecord(caller?.['function_call'])) return { ...caller, content, function_call: first.function };
    const known = new Map(recordsIn(caller?.['tool_calls']).map((call) => [wordIn(call['id']), call]));
    return {
      ...(caller ?? { role }),
      content,
      tool_calls: calls.map((call) => writtenCall(call, known.get(call.id))),
    };
  };
}

function writtenCall(call: ToolCall, sent: Fields | undefined): unknown {
  if (sent === undefined) return call;
  const { name, arguments: input } = call.function;
  if (chatCallIn(sent)[1] === input) return sent;
  const custom = sent['custom'];
  return isRecord(custom)
    ? { ...sent, custom: { ...custom, name, input } }
    : { ...sent, function: { ...fieldsOf(sent['function']), name, arguments: input } };
}
