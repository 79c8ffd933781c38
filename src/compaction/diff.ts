import type { Message } from './message.ts';
import type { CompactionRecord, RecordedAction } from './record.ts';

/** One line of a before/after comparison: what was there, what stands for it now, and why. */
export interface DiffRow {
  readonly action: RecordedAction;
  /** Messages of the view before. Empty for an insertion. */
  readonly sources: readonly Message[];
  /** The message of the view after; undefined where messages were kept or dropped. */
  readonly output?: Message;
}

/**
 * What a compaction did, in the order of the view. Follows from the recorded actions alone: no comparison of texts
 * guesses what happened.
 *
 * @param before the view the record was made for, or any messages that include it
 */
export function diffOf(record: CompactionRecord, before: readonly Message[]): readonly DiffRow[] {
  const sourceById = new Map(before.map((message) => [message.id, message]));
  const outputById = new Map(record.outputs.map((message) => [message.id, message]));
  return record.actions.map((action) => {
    const output = action.outputId === undefined ? undefined : outputById.get(action.outputId);
    return {
      action,
      sources: action.sourceIds.flatMap((id) => sourceById.get(id) ?? []),
      ...(output === undefined ? {} : { output }),
    };
  });
}
