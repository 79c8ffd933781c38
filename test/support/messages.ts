import type { Message, ToolCall } from '../../src/compaction/messages/message.ts';
import type { TranscriptEntry } from '../../src/compaction/transcript/transcript-entry.ts';

/** Functions for writing a short history. Tests choose the ids, so that they can name the messages. */

const createdAt = '2026-01-01T00:00:00.000Z';

export function system(id: string, content: string): Message {
  return { role: 'system', content, id, origin: 'harness', createdAt };
}

export function typed(id: string, content: string): Message {
  return { role: 'user', content, id, origin: 'person', createdAt };
}

export function reminder(id: string, content: string): Message {
  return { role: 'user', content, id, origin: 'harness', createdAt, kind: 'reminder' };
}

export function memory(id: string, content: string): Message {
  return { role: 'user', content, id, origin: 'harness', createdAt, kind: 'memory' };
}

export function said(id: string, content: string): Message {
  return { role: 'assistant', content, id, origin: 'model', createdAt };
}

/** An assistant message that calls tools; each call is `[call id, tool, arguments]`. */
export function called(
  id: string,
  ...calls: readonly (readonly [id: string, tool: string, input?: Readonly<Record<string, unknown>>])[]
): Message {
  return {
    role: 'assistant',
    content: null,
    tool_calls: calls.map(([callId, tool, input = {}]): ToolCall => ({
      id: callId,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(input) },
    })),
    id,
    origin: 'model',
    createdAt,
  };
}

export function result(id: string, callId: string, content: string): Message {
  return { role: 'tool', tool_call_id: callId, content, id, origin: 'tool', createdAt };
}

/** The messages, with a result after each call. */
export function answered(...messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message) => [
    message,
    ...(message.tool_calls ?? []).map(({ id }) => result(`${message.id}.${id}`, id, 'ok')),
  ]);
}

export function entriesOf(messages: readonly Message[]): readonly TranscriptEntry[] {
  return messages.map((message) => ({ type: 'message', message }));
}

const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** A string with an exact number of tokens. Each word is one token, with the space before it. */
export function textOfTokens(tokens: number): string {
  return Array.from({ length: tokens }, (_, index) => words[index % words.length]).join(' ');
}
