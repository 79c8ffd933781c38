import type { Message } from '../messages/message.ts';
import { type MessageMarks, type SentenceMark, withMarks } from '../messages/sentence-marks.ts';
import type { MarkEntry, TranscriptEntry } from './transcript-entry.ts';

/** Marks of a session by sentence, most recently marked last. Marks taken back leave an empty list. */
export type ValidMarks = ReadonlyMap<string, readonly MarkEntry[]>;

export const noMarks: ValidMarks = new Map();

export function withMarkEntry(marks: ValidMarks, entry: TranscriptEntry): ValidMarks {
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

export function validMarks(entries: readonly TranscriptEntry[]): ValidMarks {
  let marks = noMarks;
  for (const entry of entries) if (entry.type === 'mark') marks = withMarkEntry(marks, entry);
  return marks;
}

export function newestMarks(marks: ValidMarks): readonly SentenceMark[] {
  return [...marks].map(([sentence, entries]) => markOf(sentence, entries));
}

function markOf(sentence: string, entries: readonly MarkEntry[]): SentenceMark {
  const { as, words } = entries.at(-1) ?? {};
  return { sentence, as, words };
}

/** Attaches marks to the messages that they concern, in place of earlier marks. */
export function markedMessages(messages: readonly Message[], marks: ValidMarks): readonly Message[] {
  if (marks.size === 0) return messages;
  const session = newestMarks(marks);
  const ownMarks = new Map<string, SentenceMark[]>();
  for (const [sentence, entries] of marks) {
    const newest = entries.at(-1);
    if (newest === undefined) continue;
    const { messageIds } = newest;
    // If no message has the sentence, as for a sentence of a summary, the first message gets the mark.
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
