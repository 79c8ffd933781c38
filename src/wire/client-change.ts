import { costOf } from '../compaction/budget/budget.ts';
import { coverageOf } from '../compaction/ledger/coverage.ts';
import type { Message } from '../compaction/messages/message.ts';
import { applyActions } from '../compaction/records/plan.ts';
import { type CompactionRecord, type RecordedAction, rewrittenId } from '../compaction/records/record.ts';
import { type MeasuredView, sizeOf } from '../compaction/service/outcome.ts';
import { type Usage, type UsageMeter, sum } from '../compaction/tokens/usage.ts';

/** A change that a client made to messages that it had already sent. */
export interface ClientChange {
  readonly id: string;
  /** Time in ISO 8601. */
  readonly createdAt: string;
  readonly before: readonly Message[];
  /** Number of unchanged messages at the beginning and at the end. */
  readonly kept: number;
  readonly keptAtEnd: number;
  /** Messages in place of the others. A message that replaces exactly one other has its id. */
  readonly inserted: readonly Message[];
  /** Strategy id of the client's own compactions. */
  readonly client: string;
}

/** Share of the tokens that a client saves, from which a change is a compaction and not an edit. */
const compactionShare = 0.2;

/** Returns the change as an applied record, so that it has a diff, a cost and a list of lost facts. */
export async function recordOfChange(
  change: ClientChange,
  measured: MeasuredView,
  meter: UsageMeter,
): Promise<CompactionRecord> {
  const { id, createdAt, before } = change;
  const drafts = actionsOf(change, measured.usages, await meter.measureEach(change.inserted));
  const outputs = change.inserted.filter((message) => !before.includes(message));
  const after = applyActions(before, drafts, outputs);
  const usages = await meter.measureEach(after);
  const sizeAfter = sizeOf(after, [measured.tools, ...usages]);
  const saved = measured.size.tokens - sizeAfter.tokens;
  const strategy = saved > compactionShare * measured.size.tokens ? change.client : rewrittenId;
  return {
    id,
    createdAt,
    trigger: { source: 'agent', requirement: 'soft', tokens: measured.size.tokens },
    requestedStrategy: strategy,
    actualStrategy: strategy,
    options: {},
    status: 'applied',
    tiers: [{ strategy, status: 'applied' }],
    before: measured.size,
    after: sizeAfter,
    actions: drafts,
    outputs,
    coverage: coverageOf(before, after),
    cost: costOf(before, after, usages, saved),
    durationMs: 0,
    warnings: [],
  };
}

/** Returns the actions in the order of the view. */
function actionsOf(
  { before, kept, keptAtEnd, inserted }: ClientChange,
  usages: readonly Usage[],
  usagesOfInserted: readonly Usage[],
): readonly RecordedAction[] {
  const end = before.length - keptAtEnd;
  const gone = before.slice(kept, end);
  const isPaired = gone.length === inserted.length && gone.every(({ id }, at) => inserted[at]?.id === id);
  const middle = isPaired
    ? gone.map((message, at): RecordedAction | undefined => {
        if (inserted[at] === message) return keepOf(before, kept + at, kept + at + 1, usages);
        const { id } = message;
        return {
          kind: 'clip',
          sourceIds: [id],
          outputId: id,
          reason,
          tokensBefore: usages[kept + at]?.total ?? 0,
          tokensAfter: usagesOfInserted[at]?.total ?? 0,
          archiveRef: id,
        };
      })
    : replacementOf(before, kept, end, inserted, usages, usagesOfInserted);
  return [keepOf(before, 0, kept, usages), ...middle, keepOf(before, end, before.length, usages)].flatMap(
    (action) => action ?? [],
  );
}

const reason = 'changed by the client';

/** Removes a part of a view, or replaces it with one message, and inserts the other messages around that place. */
function replacementOf(
  before: readonly Message[],
  from: number,
  end: number,
  inserted: readonly Message[],
  usages: readonly Usage[],
  usagesOfInserted: readonly Usage[],
): readonly RecordedAction[] {
  const sourceIds = before.slice(from, end).map(({ id }) => id);
  const tokensBefore = sum(usages.slice(from, end)).total;
  // The longest new message of the user's role is the summary.
  const summary =
    sourceIds.length === 0
      ? -1
      : inserted.reduce((best, { role }, at) => {
          const isLonger = (usagesOfInserted[at]?.total ?? 0) > (usagesOfInserted[best]?.total ?? -1);
          return role === 'user' && isLonger ? at : best;
        }, -1);
  const placed = (at: number, after: string | null): RecordedAction => ({
    kind: 'insert',
    sourceIds: [],
    outputId: inserted[at]?.id ?? '',
    after,
    reason,
    tokensBefore: 0,
    tokensAfter: usagesOfInserted[at]?.total ?? 0,
  });
  const place = before[from - 1]?.id ?? null;
  const positions = inserted.map((_message, at) => at);
  if (summary < 0) {
    const drop: readonly RecordedAction[] =
      sourceIds.length === 0 ? [] : [{ kind: 'drop', sourceIds, reason, tokensBefore, tokensAfter: 0 }];
    return [...drop, ...positions.map((at) => placed(at, place))];
  }
  return [
    ...positions.slice(0, summary).map((at) => placed(at, place)),
    {
      kind: 'summarise',
      sourceIds,
      outputId: inserted[summary]?.id ?? '',
      reason,
      tokensBefore,
      tokensAfter: usagesOfInserted[summary]?.total ?? 0,
    },
    ...positions.slice(summary + 1).map((at) => placed(at, sourceIds.at(-1) ?? null)),
  ];
}

function keepOf(
  before: readonly Message[],
  from: number,
  end: number,
  usages: readonly Usage[],
): RecordedAction | undefined {
  if (from >= end) return undefined;
  const tokens = sum(usages.slice(from, end)).total;
  const sourceIds = before.slice(from, end).map(({ id }) => id);
  return { kind: 'keep', sourceIds, reason: 'not changed', tokensBefore: tokens, tokensAfter: tokens };
}
