import { SentenceError, type Sentence } from '../../language/sentence.ts';
import { reasonOf } from '../records/reason.ts';
import { engineSentences } from '../../language/english/engine-english.ts';
import { pairCalls, repairPairs, withMessage, withoutStandIns } from '../messages/exchange.ts';
import { isBeginning, memoisedByFirst } from '../messages/memoise.ts';
import type { Message } from '../messages/message.ts';
import type { CompactionRecord } from '../records/record.ts';
import type { TranscriptEntry } from './transcript-entry.ts';
import { markedMessages, noMarks, validMarks, type ValidMarks, withMarkEntry } from './valid-marks.ts';
import { applyRecord, bringsCallBack, unpairedView } from './view.ts';

/** An append-only log with derived data kept up to date. Immutable; appending returns a new transcript. */
export interface Transcript {
  readonly entries: readonly TranscriptEntry[];
  /** View before calls and results are paired up. The next message is appended to it. */
  readonly unpaired: readonly Message[];
  readonly view: readonly Message[];
  readonly pins: ReadonlySet<string>;
  readonly marks: ValidMarks;
}

export const emptyTranscript: Transcript = {
  entries: [],
  unpaired: [],
  view: [],
  pins: new Set(),
  marks: noMarks,
};

export class TranscriptError extends SentenceError {
  override readonly name = 'TranscriptError';
}

/** @throws {TranscriptError} if the entry repeats an id or names something missing in the transcript */
export function append(transcript: Transcript, entry: TranscriptEntry): Transcript {
  const index = indexOf(transcript.entries);
  index.admit(entry);
  // Not spread, because a spread list that grows takes up more than twice its memory.
  const entries = transcript.entries.concat(entry);
  index.move(entries);
  const { unpaired, view } = advance(transcript, entry, entries);
  const marks = withMarkEntry(transcript.marks, entry);
  return {
    entries,
    unpaired,
    view: markedMessages(view, marks),
    pins: withPins(transcript.pins, entry),
    marks,
  };
}

/** Ids of a transcript's entries. Shared by all transcripts that grow from one another, and moved between them. */
class EntryIndex {
  private readonly ids = new Set<string>();
  private readonly brought = new Set<string>();
  private at: readonly TranscriptEntry[] = [];

  /** @throws {TranscriptError} if the entry cannot follow the others */
  admit(entry: TranscriptEntry): void {
    const objection = objectionTo(
      entry,
      (id) => this.ids.has(id),
      (id) => this.brought.has(id),
    );
    if (objection !== undefined) throw new TranscriptError(objection);
    this.add(entry);
  }

  add(entry: TranscriptEntry): void {
    const id = idOf(entry);
    if (id !== undefined) this.ids.add(id);
    if (entry.type === 'compaction')
      for (const output of broughtBy(entry.record)) this.brought.add(output.id);
  }

  /** @param entries the entries whose ids were added */
  move(entries: readonly TranscriptEntry[]): void {
    this.at = entries;
    indexes.set(entries, this);
  }

  /** Forgets the messages after these entries. @returns false if other entries follow, or others precede */
  moveBack(entries: readonly TranscriptEntry[]): boolean {
    if (entries === this.at) return true;
    const later = this.at.slice(entries.length);
    if (!later.every(({ type }) => type === 'message') || !isBeginning(entries, this.at)) return false;
    for (const entry of later) this.ids.delete(idOf(entry)!);
    this.at = entries;
    return true;
  }
}

const indexes = new WeakMap<readonly TranscriptEntry[], EntryIndex>();

/** Returns the index of entries; a new index if the known one cannot be moved back to them. */
function indexOf(entries: readonly TranscriptEntry[]): EntryIndex {
  const known = indexes.get(entries);
  if (known?.moveBack(entries) === true) return known;
  const index = new EntryIndex();
  for (const entry of entries) index.add(entry);
  return index;
}

/** Builds a transcript in one pass. @throws {TranscriptError} like `append` */
export function transcriptOf(entries: readonly TranscriptEntry[]): Transcript {
  const index = new EntryIndex();
  let pins: ReadonlySet<string> = new Set();
  for (const entry of entries) {
    index.admit(entry);
    pins = withPins(pins, entry);
  }
  index.move(entries);
  const unpaired = unpairedView(entries);
  const marks = validMarks(entries);
  return { entries, unpaired, view: markedMessages(repairPairs(unpaired), marks), pins, marks };
}

/** Number of new entries from which a transcript is rebuilt instead of extended. */
const manyEntries = 50;

/** Appends entries in order. @throws {TranscriptError} like `append` */
export function appendAll(transcript: Transcript, entries: readonly TranscriptEntry[]): Transcript {
  return entries.length > manyEntries
    ? transcriptOf([...transcript.entries, ...entries])
    : entries.reduce(append, transcript);
}

/**
 * Creates a function like `transcriptOf` for a list that is read again as it grows. It extends the transcript before
 * the last reply, because a reply may change until the next one.
 */
export function growingTranscripts(): (entries: readonly TranscriptEntry[]) => Transcript {
  let settled = emptyTranscript;
  return (entries) => {
    const known = isBeginning(settled.entries, entries) ? settled : emptyTranscript;
    const last = Math.max(known.entries.length, entries.findLastIndex(isReply));
    settled = appendAll(known, entries.slice(known.entries.length, last));
    return appendAll(settled, entries.slice(last));
  };
}

function isReply(entry: TranscriptEntry): boolean {
  return entry.type === 'message' && entry.message.role === 'assistant';
}

/** Returns the transcript right before a record; the whole transcript if no record has this id. */
export function transcriptBefore(entries: readonly TranscriptEntry[], recordId: string): Transcript {
  const index = entries.findIndex((entry) => entry.type === 'compaction' && entry.record.id === recordId);
  return transcriptOf(entries.slice(0, index < 0 ? entries.length : index));
}

/** Returns the original messages, regardless of compactions. */
export function messagesOf({ entries }: Pick<Transcript, 'entries'>): readonly Message[] {
  return messagesIn(entries);
}

// By the first entry, because what a `WeakMap` keeps for each list takes up memory until a full collection.
const messagesIn = memoisedByFirst((entries: readonly TranscriptEntry[]): readonly Message[] => {
  const messages: Message[] = [];
  for (const entry of entries) if (entry.type === 'message') messages.push(entry.message);
  return markedMessages(messages, validMarks(entries));
});

/** Returns ids of messages that the view contains unchanged: neither removed nor rewritten by a compaction. */
export function shownAsSaid({ entries, view }: Pick<Transcript, 'entries' | 'view'>): ReadonlySet<string> {
  const shown = new Map(view.map((message) => [message.id, message]));
  const asSaid = messagesOf({ entries }).filter((message) => {
    const now = shown.get(message.id);
    return now !== undefined && now.truncation === message.truncation;
  });
  return new Set(asSaid.map(({ id }) => id));
}

export function recordsOf(transcript: Pick<Transcript, 'entries'>): readonly CompactionRecord[] {
  return transcript.entries.filter((entry) => entry.type === 'compaction').map(({ record }) => record);
}

/** Returns the folder against which file names are resolved, from the newest record that names one. */
export function folderNamedIn(transcript: Pick<Transcript, 'entries'>): string | undefined {
  return recordsOf(transcript).findLast(({ folder }) => folder !== undefined)?.folder;
}

/** Finds the messages to restore with one message, so that exchanges stay whole; empty for an unknown message. */
export function restoredTogether(transcript: Transcript, messageId: string): readonly string[] {
  const messages = messagesOf(transcript);
  const index = messages.findIndex((message) => message.id === messageId);
  if (index < 0) return broughtMessage(transcript, messageId) === undefined ? [] : [messageId];
  const { callerOf, resultsOf } = pairCalls(messages);
  const caller = callerOf.get(index) ?? (resultsOf.has(index) ? index : undefined);
  const callerId = caller === undefined ? undefined : messages[caller]?.id;
  const callerIsInView = transcript.view.some((message) => message.id === callerId);
  if (caller === undefined || callerIsInView) return [messageId];
  return [caller, ...(resultsOf.get(caller) ?? [])].map((position) => messages[position]?.id ?? messageId);
}

function advance(
  { view, unpaired }: Transcript,
  entry: TranscriptEntry,
  entries: readonly TranscriptEntry[],
): Pick<Transcript, 'unpaired' | 'view'> {
  const repaired = (messages: readonly Message[]) => ({ unpaired: messages, view: repairPairs(messages) });
  switch (entry.type) {
    case 'message':
      return bringsCallBack(entries, entries.length - 1, unpaired)
        ? repaired(unpairedView(entries))
        : { unpaired: unpaired.concat(entry.message), view: withMessage(view, entry.message) };
    case 'compaction':
      return entry.record.status === 'applied'
        ? repaired(withoutStandIns(applyRecord(view, entry.record)))
        : { unpaired, view };
    case 'pin':
    case 'mark':
      return { unpaired, view };
    case 'undo':
    case 'restore':
      return repaired(unpairedView(entries));
  }
}

/** Finds an objection to a new entry. `exists` tests ids of entries, `isBrought` ids that compactions added. */
export function objectionTo(
  entry: TranscriptEntry,
  exists: (id: string) => boolean,
  isBrought: (id: string) => boolean,
): Sentence | undefined {
  const id = idOf(entry);
  if (id !== undefined && exists(id)) return engineSentences.say('hasIdAlready', { id });
  const named =
    entry.type === 'undo'
      ? entry.recordIds
      : entry.type === 'restore' || entry.type === 'pin' || entry.type === 'mark'
        ? entry.messageIds
        : [];
  const missing = named.find((name) => !exists(name) && !(entry.type === 'restore' && isBrought(name)));
  return missing === undefined ? undefined : engineSentences.say('hasNoId', { id: missing });
}

export function idOf(entry: TranscriptEntry): string | undefined {
  if (entry.type === 'message') return entry.message.id;
  return entry.type === 'compaction' ? entry.record.id : undefined;
}

function withPins(pins: ReadonlySet<string>, entry: TranscriptEntry): ReadonlySet<string> {
  if (entry.type === 'message' && entry.message.pinned) return new Set([...pins, entry.message.id]);
  if (entry.type !== 'pin') return pins;
  const changed = new Set(pins);
  for (const id of entry.messageIds) {
    if (entry.pinned) changed.add(id);
    else changed.delete(id);
  }
  return changed;
}

/** Finds a message in its original form by id. It may be removed now, or be a summary or a restored file. */
export function originalOf(transcript: Pick<Transcript, 'entries'>, id: string): Message | undefined {
  return broughtMessage(transcript, id) ?? messagesOf(transcript).find((message) => message.id === id);
}

/** True if the view contains a message in the form in which it was written or added. */
export function isShownAsItWas(transcript: Pick<Transcript, 'entries' | 'view'>, id: string): boolean {
  const now = transcript.view.find((message) => message.id === id);
  return now !== undefined && now.truncation === originalOf(transcript, id)?.truncation;
}

/** Returns messages that compactions added, in their first form: summaries and restored files. */
export function broughtMessages({ entries }: Pick<Transcript, 'entries'>): readonly Message[] {
  return entries.flatMap((entry) => (entry.type === 'compaction' ? broughtBy(entry.record) : []));
}

function broughtMessage({ entries }: Pick<Transcript, 'entries'>, id: string): Message | undefined {
  return broughtMessages({ entries }).find((message) => message.id === id);
}

/** Excludes summaries that a later compaction only shortened. */
function broughtBy({ actions, outputs }: CompactionRecord): readonly Message[] {
  const isBrought = new Set(
    actions.flatMap(({ kind, outputId }) => (kind === 'summarise' || kind === 'insert' ? [outputId] : [])),
  );
  return outputs.filter(({ id }) => isBrought.has(id));
}

/** Returns new ids for records (`c1`, `c2`, …). Skips used ids, and ids that begin a message id (`c5.1`). */
export function nextRecordIds(transcript: Pick<Transcript, 'entries'>): () => string {
  const records = recordsOf(transcript);
  let last = records.reduce((top, { id }) => Math.max(top, Number(/^c(\d{1,9})$/.exec(id)?.[1] ?? 0)), 0);
  return () => {
    const brought = records.flatMap(({ outputs }) => outputs);
    const taken = [...messagesOf(transcript), ...records, ...brought].map(({ id }) => id);
    let id: string;
    do id = `c${++last}`;
    while (taken.some((known) => known === id || known.startsWith(`${id}.`)));
    return id;
  };
}

export type Base = Pick<Transcript, 'view' | 'pins'>;

export const baseChanged = reasonOf('base-changed', engineSentences.say('conversationChanged'));

/** True if messages were only appended to the view since the plan was made. */
export function isStillBase(base: Base, now: Base): boolean {
  return base.view.every((message, index) => now.view[index] === message);
}

/** Cancels a record if its view has changed or one of its messages was pinned in the meantime. */
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
