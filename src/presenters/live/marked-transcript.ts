import type { MarkEntry, TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import {
  appendAll,
  emptyTranscript,
  messagesOf,
  type Transcript,
} from '../../compaction/transcript/transcript.ts';

/**
 * The transcript of a session with the marks from our own file. Each mark follows the last entry that existed when it
 * was made. The transcript only grows.
 */
export class MarkedTranscript {
  private marks: readonly MarkEntry[] = [];
  /** The transcripts that were built last, and the number of marks in them. */
  private built:
    { readonly bare: Transcript; readonly shown: Transcript; readonly marks: number } | undefined;

  /** Takes all marks that have been read. Marks are only ever added. @returns false if no mark is new */
  update(marks: readonly MarkEntry[]): boolean {
    if (marks.length <= this.marks.length) return false;
    this.marks = marks;
    return true;
  }

  add(mark: MarkEntry): void {
    this.marks = [...this.marks, mark];
  }

  /** @param bare transcript without marks; it begins with the entries of the previous transcript */
  of(bare: Transcript): Transcript {
    const { built, marks } = this;
    if (marks.length === 0) return bare;
    const isGrown = built !== undefined && continues(bare, built.bare);
    if (isGrown && built.bare === bare && built.marks === marks.length) return built.shown;
    const before = isGrown ? built : { bare: emptyTranscript, shown: emptyTranscript, marks: 0 };
    const fresh = bare.entries.slice(before.bare.entries.length);
    const ids = new Set(messagesOf(bare).map(({ id }) => id));
    const known = marks.slice(before.marks).map((mark): TranscriptEntry => {
      return { ...mark, messageIds: mark.messageIds.filter((id) => ids.has(id)) };
    });
    const shown = appendAll(before.shown, [...fresh, ...known]);
    this.built = { bare, shown, marks: marks.length };
    return shown;
  }
}

/** True if a transcript begins with all entries of the other. */
export function continues({ entries }: Transcript, { entries: before }: Transcript): boolean {
  return before.every((entry, index) => {
    const later = entries[index];
    return (
      later === entry ||
      (entry.type === 'compaction' && later?.type === 'compaction' && later.record === entry.record)
    );
  });
}
