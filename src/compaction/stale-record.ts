import type { Message } from './message.ts';
import type { CompactionRecord, Reason } from './record.ts';

/**
 * A plan for a view that is not there any more is not applied.
 *
 * @param base the view that the record was made for
 * @param view the view now
 */
export function unlessStale(
  record: CompactionRecord,
  base: readonly Message[],
  view: readonly Message[],
): CompactionRecord {
  const isCurrent = base.every((message, index) => view[index] === message);
  if (record.status !== 'applied' || isCurrent) return record;
  const reason: Reason = { code: 'base-changed', message: 'The conversation changed meanwhile.' };
  return { ...record, status: 'cancelled', reason, after: record.before, actions: [], outputs: [] };
}
