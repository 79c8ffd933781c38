import { repairPairs } from './exchange.ts';
import type { Message } from './message.ts';
import { applyActions } from './plan.ts';
import type { CompactionRecord, RecordedAction } from './record.ts';
import type { TranscriptEntry } from './transcript-entry.ts';

/**
 * The messages that are sent to the model: the transcript with every applied compaction that was not undone, in a
 * shape that a strict endpoint accepts.
 */
export function project(entries: readonly TranscriptEntry[]): readonly Message[] {
  return repairPairs(fold(entries));
}

/** The view before its calls and results are paired up. Only what appends to a view needs it. */
export function fold(entries: readonly TranscriptEntry[]): readonly Message[] {
  const undone = undoneRecords(entries);
  const restoredAt = restorations(entries);
  let messages: Message[] = [];
  entries.forEach((entry, index) => {
    if (entry.type === 'message') messages.push(entry.message);
    if (entry.type !== 'compaction' || !isInForce(entry.record, undone)) return;
    const isRestored = (id: string) => (restoredAt.get(id) ?? -1) > index;
    messages = [...applyRecord(repairPairs(messages), entry.record, isRestored)];
  });
  return messages;
}

/** The view right before a record was applied, or would have been. */
export function viewBefore(entries: readonly TranscriptEntry[], recordId: string): readonly Message[] {
  const index = entries.findIndex((entry) => entry.type === 'compaction' && entry.record.id === recordId);
  return project(entries.slice(0, index < 0 ? entries.length : index));
}

/** Applies a record to the view it was made for. */
export function applyRecord(
  view: readonly Message[],
  record: CompactionRecord,
  isRestored: (id: string) => boolean = () => false,
): readonly Message[] {
  const actions = record.actions.flatMap((action) => withoutRestored(action, isRestored));
  return applyActions(view, actions, record.outputs);
}

/** Compactions that shape the view now, oldest first. */
export function recordsInForce(entries: readonly TranscriptEntry[]): readonly CompactionRecord[] {
  const undone = undoneRecords(entries);
  return entries.flatMap((entry) =>
    entry.type === 'compaction' && isInForce(entry.record, undone) ? [entry.record] : [],
  );
}

function isInForce(record: CompactionRecord, undone: ReadonlySet<string>): boolean {
  return record.status === 'applied' && !undone.has(record.id);
}

function undoneRecords(entries: readonly TranscriptEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => (entry.type === 'undo' ? entry.recordIds : [])));
}

/** Message id → index of the last entry that restored it. */
function restorations(entries: readonly TranscriptEntry[]): ReadonlyMap<string, number> {
  const restoredAt = new Map<string, number>();
  entries.forEach((entry, index) => {
    if (entry.type === 'restore') for (const id of entry.messageIds) restoredAt.set(id, index);
  });
  return restoredAt;
}

/** The action as it counts once some of its sources were restored; a summary with no source left goes, too. */
function withoutRestored(
  action: RecordedAction,
  isRestored: (id: string) => boolean,
): readonly RecordedAction[] {
  if (!action.sourceIds.some(isRestored)) return [action];
  const sourceIds = action.sourceIds.filter((id) => !isRestored(id));
  if (sourceIds.length === 0) return [];
  return [{ ...action, sourceIds }];
}
