import type { PinOutcome } from '../../agent/session/pins.ts';
import { isStrategyId, strategyOf } from '../../compaction/strategies/index.ts';
import type { Strategy } from '../../compaction/strategies/contract/strategy.ts';
import type { CompactionRecord } from '../../compaction/record.ts';
import type { Base } from '../../compaction/stale-record.ts';
import type { CompactionService } from '../../compaction/service.ts';
import { recordsOf, type Transcript } from '../../compaction/transcript.ts';

/** What the inspector does with a session. */
export interface RecordSession {
  readonly transcript: Transcript;
  readonly compaction: Pick<CompactionService, 'undoneWith'>;
  undo(recordId: string): Promise<readonly CompactionRecord[]>;
  restore(messageId: string): Promise<readonly string[]>;
  pin(messageIds: readonly string[], pinned: boolean): Promise<PinOutcome>;
  /** @param options of the strategy, checked */
  compactNow(
    focus?: string,
    strategy?: Strategy,
    options?: Readonly<Record<string, unknown>>,
  ): Promise<CompactionRecord>;
  /**
   * Adds a compaction that was planned before, under an id of its own, where the view is still the one it was planned
   * on, or that one with more behind it.
   *
   * @returns the record as it stands in the transcript: `cancelled` where the view is another one by now
   */
  applyRecord(record: CompactionRecord, base: Base): Promise<CompactionRecord>;
}

/** False for a session that is only read from a file. */
export function isRecordSession(session: object): session is RecordSession {
  return 'pin' in session && 'applyRecord' in session;
}

/**
 * Undoes a compaction and compacts with another strategy, with the same focus. Where that comes to nothing, what was
 * undone is done again, so that the session is where it was.
 *
 * @returns the record of the other strategy; undefined where it is none
 * @throws {TranscriptError} if the record is not in force
 */
export async function rerun(
  session: RecordSession,
  recordId: string,
  strategyId: string,
): Promise<CompactionRecord | undefined> {
  if (!isStrategyId(strategyId)) return undefined;
  const focus = recordsOf(session.transcript).find(({ id }) => id === recordId)?.focus;
  const undone = await session.undo(recordId);
  let done = false;
  try {
    const record = await session.compactNow(focus, strategyOf(strategyId));
    done = record.status === 'applied';
    return record;
  } finally {
    if (!done) {
      for (const record of undone) await session.applyRecord(record, session.transcript);
    }
  }
}

/** Brings messages back, each with what belongs to it. Those that another brought along are not brought twice. */
export async function restoreAll(session: RecordSession, messageIds: readonly string[]): Promise<void> {
  const restored = new Set<string>();
  for (const id of messageIds) {
    if (restored.has(id)) continue;
    for (const back of await session.restore(id)) restored.add(back);
  }
}
