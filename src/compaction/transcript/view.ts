import { callerOfStandIn, pairCalls, repairPairs, withoutStandIns } from '../messages/exchange.ts';
import type { Message } from '../messages/message.ts';
import { applyActions } from '../records/plan.ts';
import {
  type CompactionRecord,
  type Fate,
  hideId,
  type RecordedAction,
  rewindId,
  rewrittenId,
} from '../records/record.ts';
import { markedMessages, validMarks } from './valid-marks.ts';
import type { TranscriptEntry } from './transcript-entry.ts';

/** Returns the messages that are sent: the transcript after all compactions in force, with results after calls. */
export function project(entries: readonly TranscriptEntry[]): readonly Message[] {
  return markedMessages(repairPairs(unpairedView(entries)), validMarks(entries));
}

/** Returns the view before its calls and results are paired up. Needed only to append to a view. */
export function unpairedView(entries: readonly TranscriptEntry[]): readonly Message[] {
  const undone = undoneRecords(entries);
  const restoredAt = restorations(entries);
  const answeredAt = hasLateResults(entries) ? lastResults(entries) : noIndices;
  const isAnyBack = restoredAt.size > 0 || answeredAt.size > 0;
  let messages: Message[] = [];
  entries.forEach((entry, index) => {
    if (entry.type === 'message') messages.push(entry.message);
    if (entry.type !== 'compaction' || !isInForce(entry.record, undone)) return;
    const view = repairPairs(messages);
    const { record } = entry;
    // A client says itself which messages are back.
    const answered = record.requestedStrategy === rewrittenId ? noIndices : answeredAt;
    const isBack = isAnyBack ? backAfter(index, view, restoredAt, answered) : undefined;
    messages = [...withoutStandIns(applyRecord(view, record, isBack))];
  });
  return messages;
}

const noIndices: ReadonlyMap<string, number> = new Map();

/** Returns a test for messages of a view that came back after the compaction at an index. */
function backAfter(
  index: number,
  view: readonly Message[],
  restoredAt: ReadonlyMap<string, number>,
  answeredAt: ReadonlyMap<string, number>,
): (id: string, kind: Fate) => boolean {
  const callers = new Map(view.map((message) => [message.id, callerOfStandIn(message)]));
  const isAfter = (at: number | undefined) => (at ?? -1) > index;
  return (id, kind) => {
    const caller = callers.get(id);
    const isGone = kind === 'drop' || kind === 'summarise';
    return (
      isAfter(restoredAt.get(caller ?? id)) ||
      // While a result is missing, no part of the exchange can be gone for good.
      (isAfter(answeredAt.get(caller ?? id)) && (isGone || caller !== undefined))
    );
  };
}

/** Returns the view right before a record, even if the record was not applied. */
export function viewBefore(entries: readonly TranscriptEntry[], recordId: string): readonly Message[] {
  const index = entries.findIndex((entry) => entry.type === 'compaction' && entry.record.id === recordId);
  return project(entries.slice(0, index < 0 ? entries.length : index));
}

/** Applies a record to the view before it, except to messages that have been restored. */
export function applyRecord(
  view: readonly Message[],
  record: CompactionRecord,
  isBack?: (id: string, kind: Fate) => boolean,
): readonly Message[] {
  const actions =
    isBack === undefined
      ? record.actions
      : record.actions.flatMap((action) => withoutThoseBack(action, isBack));
  return applyActions(view, actions, record.outputs);
}

export function recordsInForce(entries: readonly TranscriptEntry[]): readonly CompactionRecord[] {
  const undone = undoneRecords(entries);
  return entries
    .filter((entry) => entry.type === 'compaction')
    .map(({ record }) => record)
    .filter((record) => isInForce(record, undone));
}

/** Finds messages that the user hid or left out and has not shown again: message id → record id. */
export function manuallyHidden(entries: readonly TranscriptEntry[]): ReadonlyMap<string, string> {
  const undone = undoneRecords(entries);
  const restoredAt = restorations(entries);
  const hidden = new Map<string, string>();
  entries.forEach((entry, index) => {
    if (entry.type !== 'compaction' || !isInForce(entry.record, undone)) return;
    const { id, actualStrategy, actions } = entry.record;
    if (actualStrategy !== hideId && actualStrategy !== rewindId) return;
    for (const { kind, sourceIds } of actions) {
      // Clipped messages, such as those that lost only their pictures, still have their text.
      if (kind === 'keep' || kind === 'clip') continue;
      for (const source of sourceIds) if ((restoredAt.get(source) ?? -1) < index) hidden.set(source, id);
    }
  });
  return hidden;
}

function isInForce(record: CompactionRecord, undone: ReadonlySet<string>): boolean {
  return record.status === 'applied' && !undone.has(record.id);
}

function undoneRecords(entries: readonly TranscriptEntry[]): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const entry of entries) if (entry.type === 'undo') for (const id of entry.recordIds) undone.add(id);
  return undone;
}

function restorations(entries: readonly TranscriptEntry[]): ReadonlyMap<string, number> {
  const restoredAt = new Map<string, number>();
  entries.forEach((entry, index) => {
    if (entry.type === 'restore') for (const id of entry.messageIds) restoredAt.set(id, index);
  });
  return restoredAt;
}

/** Removes restored sources from an action. Also removes a summary whose sources were all restored. */
function withoutThoseBack(
  action: RecordedAction,
  isBack: (id: string, kind: Fate) => boolean,
): readonly RecordedAction[] {
  const sourceIds = action.sourceIds.filter((id) => !isBack(id, action.kind));
  if (sourceIds.length === action.sourceIds.length) return [action];
  return sourceIds.length === 0 ? [] : [{ ...action, sourceIds }];
}

/**
 * Exchanges whose result arrived after a compaction. The removed messages come back with the result, as if restored.
 */

/** True if a compaction lies between a call and its result. Few transcripts have such a result. */
function hasLateResults(entries: readonly TranscriptEntry[]): boolean {
  /** Ids of the newest exchange's calls without a result. */
  let open: string[] = [];
  let isOpenBefore = false;
  let isCompactedSince = false;
  for (const entry of entries) {
    if (entry.type === 'compaction') isCompactedSince = true;
    if (entry.type !== 'message') continue;
    const { role, tool_call_id: answered = '', tool_calls: calls = [] } = entry.message;
    if (role === 'tool') {
      const place = open.indexOf(answered);
      if (place < 0 ? isOpenBefore : isCompactedSince) return true;
      if (place >= 0) open.splice(place, 1);
    } else if (role === 'assistant' && calls.length > 0) {
      isOpenBefore ||= open.length > 0;
      isCompactedSince = false;
      open = calls.map(({ id }) => id);
    }
  }
  return false;
}

/** Message id → index of the entry with the last result of its exchange, for calls and results. */
function lastResults(entries: readonly TranscriptEntry[]): ReadonlyMap<string, number> {
  const indices: number[] = [];
  const messages: Message[] = [];
  entries.forEach((entry, index) => {
    if (entry.type !== 'message') return;
    indices.push(index);
    messages.push(entry.message);
  });
  const last = new Map<string, number>();
  for (const [caller, results] of pairCalls(messages).resultsOf) {
    const newest = indices[Math.max(caller, ...results)] ?? -1;
    for (const position of [caller, ...results]) last.set(messages[position]?.id ?? '', newest);
  }
  return last;
}

/** True if a result at `index` has to restore its call, which a compaction removed or replaced. */
export function bringsCallBack(
  entries: readonly TranscriptEntry[],
  index: number,
  unpaired: readonly Message[],
): boolean {
  const entry = entries[index];
  if (entry?.type !== 'message' || entry.message.role !== 'tool') return false;
  const caller = callerOf(entry.message, entries, index);
  if (caller === undefined) return false;
  const nearest = unpaired.findLast(
    // The compacted stand-in is in the place of the result.
    ({ role, id }) => id === caller || (role === 'tool' && id.startsWith(`${caller}.`)),
  );
  return nearest?.id !== caller;
}

/** Finds the nearest message before a result that has an unanswered call with the result's id. */
function callerOf(result: Message, entries: readonly TranscriptEntry[], before: number): string | undefined {
  let answered = 0;
  for (let index = before - 1; index >= 0; index--) {
    const entry = entries[index];
    if (entry?.type !== 'message') continue;
    const { role, tool_call_id: callId, tool_calls: calls = [], id } = entry.message;
    if (role === 'tool' && callId === result.tool_call_id) answered++;
    const made = role === 'assistant' ? calls.filter((call) => call.id === result.tool_call_id).length : 0;
    if (made > answered) return id;
    answered -= made;
  }
  return undefined;
}
