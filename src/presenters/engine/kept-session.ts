import { type Transcript, append, transcriptOf } from '../../compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';

/** Entries from which on a transcript is built again instead of being appended to. */
const manyEntries = 50;

/** The engine's copy of a session: what was sent of it once is there for every call. */
export class KeptSession {
  private readonly entries: TranscriptEntry[] = [];
  private built: Transcript | undefined;

  /** Replaces what follows the first entries. */
  replace(from: number, some: readonly TranscriptEntry[]): void {
    if (from > this.entries.length) throw new Error(`The copy ends before entry ${from}.`);
    if ((this.built?.entries.length ?? 0) > from) this.built = undefined;
    this.entries.splice(from, Infinity, ...some);
  }

  /** The transcript as it was when it had so many entries; the same object as long as nothing else is asked for. */
  at(length: number): Transcript {
    const known = this.built?.entries.length ?? 0;
    if (this.built === undefined || known > length || length - known > manyEntries) {
      this.built = transcriptOf(this.entries.slice(0, length));
    }
    for (const entry of this.entries.slice(this.built.entries.length, length)) {
      this.built = append(this.built, entry);
    }
    return this.built;
  }
}
