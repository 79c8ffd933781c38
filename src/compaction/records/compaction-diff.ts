import type { Message } from '../messages/message.ts';
import type { Fate, RecordedAction } from './record.ts';

/** Outcome of a message in a comparison: a compaction's action, or `restore` for a message back in context. */
export type RowFate = Fate | 'restore';

export interface DiffAction extends Omit<RecordedAction, 'kind'> {
  readonly kind: RowFate;
}

interface Changes {
  readonly actions: readonly DiffAction[];
  readonly outputs: readonly Message[];
}

/** One line of a before/after comparison: the old messages, their replacement and the reason. */
export interface DiffRow {
  readonly action: DiffAction;
  readonly sources: readonly Message[];
  /** Absent if messages were kept or dropped. */
  readonly output?: Message;
}

/** Lists the effects of recorded actions, in the order of the view. `before` may contain further messages. */
export function diffOf({ actions, outputs }: Changes, before: readonly Message[]): readonly DiffRow[] {
  const sourceById = new Map(before.map((message) => [message.id, message]));
  const outputById = new Map(outputs.map((message) => [message.id, message]));
  return runsOf(actions).map((run) => {
    const action = asOne(run);
    const output = action.outputId === undefined ? undefined : outputById.get(action.outputId);
    return {
      action,
      sources: action.sourceIds.flatMap((id) => sourceById.get(id) ?? []),
      ...(output === undefined ? {} : { output }),
    };
  });
}

type Run = readonly [DiffAction, ...DiffAction[]];

function runsOf(actions: readonly DiffAction[]): readonly Run[] {
  const runs: [DiffAction, ...DiffAction[]][] = [];
  for (const action of actions) {
    const run = runs.at(-1);
    const isMore = action.kind === 'keep' && run?.[0].kind === 'keep' && run[0].reason === action.reason;
    if (isMore) run.push(action);
    else runs.push([action]);
  }
  return runs;
}

function asOne(run: Run): DiffAction {
  const [first] = run;
  if (run.length === 1) return first;
  return {
    ...first,
    sourceIds: run.flatMap(({ sourceIds }) => sourceIds),
    tokensBefore: run.reduce((total, { tokensBefore }) => total + tokensBefore, 0),
    tokensAfter: run.reduce((total, { tokensAfter }) => total + tokensAfter, 0),
  };
}
