import { pairCalls } from './exchange.ts';
import type { Message } from './message.ts';
import type { TranscriptEntry } from './transcript-entry.ts';

/**
 * A result can come after a compaction that found its call without one. The exchange is whole only then: what a
 * compaction took out of it comes back with the result, as if it had been restored.
 */

/** Message id → index of the entry with the last result of its exchange, for calls and results. */
export function lastResults(entries: readonly TranscriptEntry[]): ReadonlyMap<string, number> {
  const indices: number[] = [];
  const messages: Message[] = [];
  entries.forEach((entry, index) => {
    if (entry.type !== 'message') return;
    indices.push(index);
    messages.push(entry.message);
  });
  const last = new Map<string, number>();
  for (const [caller, results] of pairCalls(messages).resultsOf) {
    const newest = indices[Math.max(caller, ...results)] ?? -1;
    for (const position of [caller, ...results]) last.set(messages[position]?.id ?? '', newest);
  }
  return last;
}

/**
 * Whether a result has to bring its call back, because a compaction took that out or put something in the result's
 * place.
 *
 * @param index of the result among the entries; what follows it does not count
 * @param unpaired the view it is appended to
 */
export function bringsCallBack(
  entries: readonly TranscriptEntry[],
  index: number,
  unpaired: readonly Message[],
): boolean {
  const entry = entries[index];
  if (entry?.type !== 'message' || entry.message.role !== 'tool') return false;
  const caller = callerOf(entry.message, entries, index);
  if (caller === undefined) return false;
  const nearest = unpaired.findLast(
    // What a compaction made of the stand-in is in the place of the result.
    ({ role, id }) => id === caller || (role === 'tool' && id.startsWith(`${caller}.`)),
  );
  return nearest?.id !== caller;
}

/** The nearest message before a result with a call of its id that nothing answers yet, by id. */
function callerOf(result: Message, entries: readonly TranscriptEntry[], before: number): string | undefined {
  let answered = 0;
  for (let index = before - 1; index >= 0; index--) {
    const entry = entries[index];
    if (entry?.type !== 'message') continue;
    const { role, tool_call_id: callId, tool_calls: calls = [], id } = entry.message;
    if (role === 'tool' && callId === result.tool_call_id) answered++;
    const made = role === 'assistant' ? calls.filter((call) => call.id === result.tool_call_id).length : 0;
    if (made > answered) return id;
    answered -= made;
  }
  return undefined;
}
