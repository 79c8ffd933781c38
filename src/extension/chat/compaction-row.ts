import type { CompactionRecord } from '../../compaction/record.ts';
import type { CompactionRow } from '../../protocol/chat-rows.ts';

/** A record as a line of the chat. */
export function compactionRow(record: CompactionRecord): CompactionRow {
  const { id, actualStrategy, requestedStrategy, status, before, after, trigger, reason } = record;
  return {
    type: 'compaction',
    id,
    strategy: actualStrategy,
    ...(requestedStrategy === actualStrategy ? {} : { requestedStrategy }),
    status,
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
    trigger,
    ...(reason === undefined ? {} : { reason: reason.message }),
    isUndone: false,
  };
}
