import { pairCalls } from '../compaction/exchange.ts';
import type { Message } from '../compaction/message.ts';
import { messagesOf } from '../compaction/transcript.ts';
import type { Imported } from './format.ts';

/**
 * The same session with every result directly behind the call that it answers, wherever the file has it. Results
 * that answer no call stay where they are.
 *
 * @param imported as a format gives it; one that holds more than messages is in order already
 */
export function withResultsBehindCalls(imported: Imported): Imported {
  if (imported.entries.some(({ type }) => type !== 'message')) return imported;
  const messages = messagesOf(imported);
  const { resultsOf, moved } = placesOf(messages);
  const order = messages.flatMap((_message, index) =>
    moved.has(index) ? [] : [index, ...(resultsOf.get(index) ?? [])],
  );
  if (order.every((from, index) => from === index)) return imported;
  const placeOf = new Map(order.map((from, index) => [from, index]));
  const placeFrom = (index: number): number => {
    let from = index;
    while (moved.has(from)) from++;
    return placeOf.get(from) ?? messages.length;
  };
  return {
    ...imported,
    entries: order.map((from) => ({ type: 'message', message: messages[from]! })),
    compactions: imported.compactions.map((compaction) => {
      const { beforeMessageIndex, keptFromIndex } = compaction;
      return {
        ...compaction,
        beforeMessageIndex: placeFrom(beforeMessageIndex),
        ...(keptFromIndex !== undefined && { keptFromIndex: placeFrom(keptFromIndex) }),
      };
    }),
  };
}

/** The results of each call, those that stand before it among them. */
function placesOf(messages: readonly Message[]): {
  readonly resultsOf: ReadonlyMap<number, readonly number[]>;
  readonly moved: ReadonlySet<number>;
} {
  const { resultsOf, callerOf, unansweredOf, orphans } = pairCalls(messages);
  const all = new Map([...resultsOf].map(([caller, results]) => [caller, [...results]]));
  const moved = new Set(callerOf.keys());
  const open = [...unansweredOf].flatMap(([caller, calls]) => calls.map(({ id }) => ({ caller, id })));
  for (const orphan of orphans) {
    const place = open.findIndex(
      ({ caller, id }) => caller > orphan && id === messages[orphan]?.tool_call_id,
    );
    const [call] = place < 0 ? [] : open.splice(place, 1);
    if (call === undefined) continue;
    all.set(call.caller, [orphan, ...(all.get(call.caller) ?? [])]);
    moved.add(orphan);
  }
  return { resultsOf: all, moved };
}
