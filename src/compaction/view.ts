import { callerOfStandIn, repairPairs, withoutStandIns } from './exchange.ts';
import { lastResults } from './late-results.ts';
import type { Message } from './message.ts';
import { applyActions } from './plan.ts';
import type { CompactionRecord, Fate, RecordedAction } from './record.ts';
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
  const answeredAt = lastResults(entries);
  let messages: Message[] = [];
  entries.forEach((entry, index) => {
    if (entry.type === 'message') messages.push(entry.message);
    if (entry.type !== 'compaction' || !isInForce(entry.record, undone)) return;
    const view = repairPairs(messages);
    const callers = new Map(view.map((message) => [message.id, callerOfStandIn(message)]));
    const isAfter = (at: number | undefined) => (at ?? -1) > index;
    const isBack = (id: string, kind: Fate) => {
      const caller = callers.get(id);
      const isGone = kind === 'drop' || kind === 'summarise';
      return (
        isAfter(restoredAt.get(caller ?? id)) ||
        // While an exchange waits for a result, nothing of it can be gone for good.
        (isAfter(answeredAt.get(caller ?? id)) && (isGone || caller !== undefined))
      );
    };
    messages = [...withoutStandIns(applyRecord(view, entry.record, isBack))];
  });
  return messages;
}

/** The view right before a record was applied, or would have been. */
export function viewBefore(entries: readonly TranscriptEntry[], recordId: string): readonly Message[] {
  const index = entries.findIndex((entry) => entry.type === 'compaction' && entry.record.id === recordId);
  return project(entries.slice(0, index < 0 ? entries.length : index));
}

/**
 * Applies a record to the view it was made for.
 *
 * @param isBack whether a message is in the view again that the record did something of this kind to
 */
export function applyRecord(
  view: readonly Message[],
  record: CompactionRecord,
  isBack: (id: string, kind: Fate) => boolean = () => false,
): readonly Message[] {
  const actions = record.actions.flatMap((action) => withoutThoseBack(action, isBack));
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

/** The action as it counts once some of its sources are back; a summary with no source left goes, too. */
function withoutThoseBack(
  action: RecordedAction,
  isBack: (id: string, kind: Fate) => boolean,
): readonly RecordedAction[] {
  const sourceIds = action.sourceIds.filter((id) => !isBack(id, action.kind));
  if (sourceIds.length === action.sourceIds.length) return [action];
  return sourceIds.length === 0 ? [] : [{ ...action, sourceIds }];
}
