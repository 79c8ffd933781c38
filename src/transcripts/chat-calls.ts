import type { ToolCall } from '../compaction/message.ts';
import { callOf } from './draft.ts';
import { isFields } from './fields.ts';

/**
 * Tool calls in the shape of OpenAI chat messages.
 *
 * @param value what a file has for them; none where it is absent or null
 * @returns the calls, or why the value is none
 */
export function chatCalls(value: unknown): readonly ToolCall[] | string {
  if (value === undefined || value === null) return [];
  const objection = 'tool calls are an array of { id, function: { name, arguments } }.';
  if (!Array.isArray(value)) return objection;
  const calls: ToolCall[] = [];
  for (const call of value as readonly unknown[]) {
    if (!isFields(call) || typeof call['id'] !== 'string' || !isFields(call['function'])) return objection;
    const { name, arguments: text } = call['function'];
    if (typeof name !== 'string' || typeof text !== 'string') return objection;
    calls.push(callOf(call['id'], name, text));
  }
  return calls;
}
