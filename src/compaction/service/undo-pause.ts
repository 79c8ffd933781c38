import { type CompactionRecord, hideId, rewindId, rewrittenId } from '../records/record.ts';
import type { TranscriptEntry } from '../transcript/transcript-entry.ts';

/**
 * True if automatic compaction is paused: the user undid a compaction, and has applied none since then. Messages that
 * the user hid or left out, or a client rewrote, say nothing about compactions, so they neither start nor end the pause.
 */
export function isPausedByUndo(entries: readonly TranscriptEntry[]): boolean {
  const last = entries.findLastIndex(
    (entry) => entry.type === 'undo' || (entry.type === 'compaction' && isCompaction(entry.record)),
  );
  const entry = entries[last];
  if (entry?.type !== 'undo') return false;
  const undone = new Set(entry.recordIds);
  const before = entries.slice(0, last);
  const isOfCompaction = before.some(
    (one) => one.type === 'compaction' && undone.has(one.record.id) && isCompaction(one.record),
  );
  return isOfCompaction || isPausedByUndo(before);
}

/** Strategy ids of changes that are no compactions. */
const others: ReadonlySet<string> = new Set([hideId, rewindId, rewrittenId]);

function isCompaction({ status, actualStrategy }: CompactionRecord): boolean {
  return status === 'applied' && !others.has(actualStrategy);
}
