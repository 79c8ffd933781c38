import type { Message } from '../messages/message.ts';
import type { CompactionRecord, RecordedAction } from './record.ts';

/** One line of a before/after comparison: what was there, what replaces it now, and why. */
export interface DiffRow {
  readonly action: RecordedAction;
  /** Messages of the view before. Empty for an insertion. */
  readonly sources: readonly Message[];
  /** The message of the view after; undefined if messages were kept or dropped. */
  readonly output?: Message;
}

/**
 * The effect of a compaction, in the order of the view. Follows from the recorded actions alone: no comparison of texts
 * guesses what happened. Kept messages that are neighbours after it are one line, whatever stood between them before.
 *
 * @param before the view the record was made for, or any messages that include it
 */
export function diffOf(record: CompactionRecord, before: readonly Message[]): readonly DiffRow[] {
  const sourceById = new Map(before.map((message) => [message.id, message]));
  const outputById = new Map(record.outputs.map((message) => [message.id, message]));
  return runsOf(record.actions).map((run) => {
    const action = asOne(run);
    const output = action.outputId === undefined ? undefined : outputById.get(action.outputId);
    return {
      action,
      sources: action.sourceIds.flatMap((id) => sourceById.get(id) ?? []),
      ...(output === undefined ? {} : { output }),
    };
  });
}

type Run = readonly [RecordedAction, ...RecordedAction[]];

/** Neighbours that kept messages for the same reason; any other action is a run of its own. */
function runsOf(actions: readonly RecordedAction[]): readonly Run[] {
  const runs: [RecordedAction, ...RecordedAction[]][] = [];
  for (const action of actions) {
    const run = runs.at(-1);
    const isMore = action.kind === 'keep' && run?.[0].kind === 'keep' && run[0].reason === action.reason;
    if (isMore) run.push(action);
    else runs.push([action]);
  }
  return runs;
}

function asOne(run: Run): RecordedAction {
  const [first] = run;
  if (run.length === 1) return first;
  return {
    ...first,
    sourceIds: run.flatMap(({ sourceIds }) => sourceIds),
    tokensBefore: run.reduce((total, { tokensBefore }) => total + tokensBefore, 0),
    tokensAfter: run.reduce((total, { tokensAfter }) => total + tokensAfter, 0),
  };
}
