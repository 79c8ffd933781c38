import type { Fate, CompactionRecord } from '../../compaction/record.ts';
import { tierTexts, type Translate } from '../../insights/engine-sentences.ts';
import type { FateCount, RecordDetails } from '../../protocol/chat-rows.ts';

/** In the order from the least to the most that happens to a message. */
const fates: readonly Fate[] = ['keep', 'hide', 'clip', 'offload', 'summarise', 'drop', 'insert'];

/**
 * What a compaction did, for its row in the chat to unfold.
 *
 * @param translate what the engine says, for a reader
 */
export function recordDetails(record: CompactionRecord, translate: Translate): RecordDetails {
  const { coverage, cost, tiers, summary, durationMs, warnings } = record;
  return {
    fates: fates.flatMap((fate) => countOf(record, fate)),
    coverage,
    cost,
    tiers: tierTexts(tiers, translate),
    ...(summary === undefined ? {} : { summaryModel: summary.model }),
    durationMs,
    warnings: warnings.map(translate),
  };
}

function countOf({ actions }: CompactionRecord, fate: Fate): readonly FateCount[] {
  const befallen = actions.filter(({ kind }) => kind === fate);
  if (befallen.length === 0) return [];
  return [
    {
      fate,
      messages: befallen.reduce((sum, { sourceIds }) => sum + Math.max(1, sourceIds.length), 0),
      tokensBefore: befallen.reduce((sum, { tokensBefore }) => sum + tokensBefore, 0),
      tokensAfter: befallen.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0),
    },
  ];
}
