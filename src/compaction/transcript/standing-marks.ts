import type { Message } from '../messages/message.ts';
import { type MessageMarks, type SentenceMark, withMarks } from '../messages/sentence-marks.ts';
import type { MarkEntry, TranscriptEntry } from './transcript-entry.ts';

/**
 * The marks of a session by sentence, those that were not taken back, oldest first. A sentence without any left stays,
 * because a summary may have been written when it had one. The sentence that was marked last comes last.
 */
export type StandingMarks = ReadonlyMap<string, readonly MarkEntry[]>;

export const noMarks: StandingMarks = new Map();

/** The marks after one more entry. */
export function withMarkEntry(marks: StandingMarks, entry: TranscriptEntry): StandingMarks {
  if (entry.type !== 'mark') return marks;
  const { sentence, as } = entry;
  const known = marks.get(sentence) ?? [];
  const changed = new Map(marks);
  if (as === undefined) changed.set(sentence, known.slice(0, -1));
  else {
    changed.delete(sentence);
    changed.set(sentence, [...known, entry]);
  }
  return changed;
}

/** The marks that entries leave. */
export function standingMarks(entries: readonly TranscriptEntry[]): StandingMarks {
  let marks = noMarks;
  for (const entry of entries) if (entry.type === 'mark') marks = withMarkEntry(marks, entry);
  return marks;
}

/** The newest mark of each sentence. */
export function newestMarks(marks: StandingMarks): readonly SentenceMark[] {
  return [...marks].map(([sentence, entries]) => markOf(sentence, entries));
}

function markOf(sentence: string, entries: readonly MarkEntry[]): SentenceMark {
  const { as, words } = entries.at(-1) ?? {};
  return { sentence, as, words };
}

/** Messages with the marks that concern them. Marks that they had before count no more. */
export function markedMessages(messages: readonly Message[], marks: StandingMarks): readonly Message[] {
  if (marks.size === 0) return messages;
  const session = newestMarks(marks);
  const ownMarks = new Map<string, SentenceMark[]>();
  for (const [sentence, entries] of marks) {
    const newest = entries.at(-1);
    if (newest === undefined) continue;
    const { messageIds } = newest;
    // What no message says, such as a sentence of a summary, is with the first message.
    for (const id of messageIds.length > 0 ? messageIds : messages.slice(0, 1).map(({ id }) => id)) {
      ownMarks.set(id, [...(ownMarks.get(id) ?? []), markOf(sentence, entries)]);
    }
  }
  return messages.map((message) => {
    const own = ownMarks.get(message.id) ?? [];
    const all: MessageMarks = { own, session: message.kind === 'summary' ? session : [] };
    return withMarks(message, all);
  });
}
