import type { CompactionRecord, Reason } from './record.ts';
import type { Transcript } from './transcript.ts';

/** What a compaction was planned on. */
export type Base = Pick<Transcript, 'view' | 'pins'>;

export const baseChanged: Reason = { code: 'base-changed', message: 'The conversation changed meanwhile.' };

/** Whether the view is the one that a compaction was planned on, with nothing done to it but appending. */
export function isStillBase(base: Base, now: Base): boolean {
  return base.view.every((message, index) => now.view[index] === message);
}

/** A plan for a view that is not there any more, or for a message that was pinned meanwhile, is not applied. */
export function unlessStale(record: CompactionRecord, base: Base, now: Base): CompactionRecord {
  if (record.status !== 'applied') return record;
  const touchesPin = record.actions.some(
    ({ kind, sourceIds }) =>
      kind !== 'keep' && sourceIds.some((id) => now.pins.has(id) && !base.pins.has(id)),
  );
  if (isStillBase(base, now) && !touchesPin) return record;
  return {
    ...record,
    status: 'cancelled',
    reason: baseChanged,
    after: record.before,
    actions: [],
    outputs: [],
  };
}
