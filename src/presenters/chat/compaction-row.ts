import { shownStrategies } from '../../compaction/records/custom-strategy-title.ts';
import { reasonText, tierViews, warningTexts } from '../../compaction/records/reason.ts';
import {
  type CompactionRecord,
  type Fate,
  filesBackOf,
  hideId,
  rewindId,
  shownCoverage,
} from '../../compaction/records/record.ts';
import type { Wording } from '../../language/translated/wording.ts';
import type { ManualEditView, CompactionRow, FateCount, RecordDetails } from '../../protocol/chat-rows.ts';

/** Returns the chat's row for a compaction. */
export function compactionRow(record: CompactionRecord, wording: Wording): CompactionRow {
  const { id, status, before, after, trigger, reason } = record;
  const { actualStrategy, requestedStrategy } = shownStrategies(record);
  return {
    type: 'compaction',
    id,
    strategy: actualStrategy,
    requestedStrategy: requestedStrategy === actualStrategy ? undefined : requestedStrategy,
    status,
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
    trigger,
    reason: reason && reasonText(reason, wording),
    byHand: byHandOf(record),
    isEdited: record.isEdited,
    filesBack: filesBackOf(record),
    isUndone: false,
  };
}

function byHandOf(record: CompactionRecord): ManualEditView | undefined {
  const { actualStrategy, requestedStrategy, actions, part } = record;
  const changed = actions.filter(({ kind }) => kind !== 'keep');
  const messages = changed.reduce((sum, { sourceIds }) => sum + sourceIds.length, 0);
  if (requestedStrategy === rewindId || actualStrategy === rewindId) return { what: 'rewind', messages };
  if (requestedStrategy === hideId || actualStrategy === hideId) {
    const isPictures = changed.length > 0 && changed.every(({ kind }) => kind === 'clip');
    return { what: isPictures ? 'pictures' : 'hide', messages };
  }
  if (part === undefined) return undefined;
  // The actions follow the order of the view and name all of its messages.
  const ids = actions.flatMap(({ sourceIds }) => sourceIds);
  return { what: 'part', messages: ids.lastIndexOf(part.lastId) - ids.indexOf(part.firstId) + 1 };
}

/** Fates of messages, from the smallest change to the largest. */
const fates: readonly Fate[] = ['keep', 'hide', 'clip', 'offload', 'summarise', 'drop', 'insert'];

/** The details of a compaction, shown when its row in the chat is unfolded. */
export function recordDetails(record: CompactionRecord, wording: Wording): RecordDetails {
  const { cost, tiers, summary, durationMs } = record;
  return {
    fates: fates.flatMap((fate) => countOf(record, fate)),
    coverage: shownCoverage(record),
    cost,
    tiers: tierViews(tiers, wording),
    summaryModel: summary?.model,
    durationMs,
    warnings: warningTexts(record, wording),
  };
}

function countOf({ actions }: CompactionRecord, fate: Fate): readonly FateCount[] {
  const befallen = actions.filter(({ kind }) => kind === fate);
  if (befallen.length === 0) return [];
  const sum = (of: (action: (typeof befallen)[number]) => number) =>
    befallen.reduce((total, action) => total + of(action), 0);
  const messages = sum(({ sourceIds }) => Math.max(1, sourceIds.length));
  const tokensBefore = sum((action) => action.tokensBefore);
  return [{ fate, messages, tokensBefore, tokensAfter: sum((action) => action.tokensAfter) }];
}
