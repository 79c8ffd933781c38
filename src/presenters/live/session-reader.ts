import { isDeepStrictEqual } from 'node:util';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { followTranscript } from '../../transcripts/followed-transcript.ts';
import type { ReadOnlyPorts, ReadSession } from '../import/read-only-session.ts';
import { unaskedLimits } from '../../transcripts/reading/read-limits.ts';
import type { SessionSource, SourcePlace } from './session-source.ts';

/** Reads a session of another agent, now and whenever it changes. */
export interface SessionReader {
  /**
   * The objects of before stand wherever the session says the same: what was counted or measured of them need not be
   * counted again.
   *
   * @param progress told the share of the source that was read, from 0 to 1, as it grows
   * @returns undefined if there is nothing new
   * @throws {SentenceError} if there is no such session, or it cannot be read now
   * @throws {CancelledError} if the signal was aborted
   */
  read(signal: AbortSignal, progress?: (share: number) => void): Promise<ReadSession | undefined>;
  /** @returns what ends it */
  watch(changed: () => void): () => void;
  /** Forgets what was read. */
  dispose(): void;
}

export interface ReadingPorts extends ReadOnlyPorts {
  readonly readerOf: (place: SourcePlace) => Promise<SessionReader>;
  /** The session's entry in the list; undefined if it has none. */
  readonly listedAs?: ((path: string) => Promise<ListedAs | undefined>) | undefined;
}

/** A session in the list of all sessions. */
export interface ListedAs {
  readonly title: string;
  /** Working folder of its agent, absolute, if its file or a neighbouring file states it. */
  readonly workspace?: string | undefined;
  /** True if it is in progress. */
  readonly isLive: boolean;
}

/** Reads a session on this thread. @param limits those of its source */
export function readerOf(source: SessionSource, limits = unaskedLimits): SessionReader {
  const transcript = followTranscript('auto', limits);
  let known: ReadSession | undefined;
  /** False while what is there cannot be read, which is told at every reading. */
  let isRead = false;
  return {
    read: async (signal, progress) => {
      const wasRead = isRead;
      isRead = false;
      const isNew = await source.read(transcript, signal, progress);
      isRead = wasRead && !isNew;
      if (isRead) return undefined;
      known = withKnownParts(transcript.read(), known);
      isRead = true;
      return known;
    },
    watch: (changed) => source.watch(changed),
    dispose: () => {},
  };
}

/** A later state of a session, with the objects of an earlier one wherever they say the same: all of it, if it does. */
export function withKnownParts(later: ReadSession, earlier: ReadSession | undefined): ReadSession {
  if (earlier === undefined) return later;
  const { tools } = earlier;
  const entries = later.entries.map((entry, index): TranscriptEntry => {
    const known = earlier.entries[index];
    return known !== undefined && isDeepStrictEqual(known, entry) ? known : entry;
  });
  const read = { ...later, entries, tools: isDeepStrictEqual(tools, later.tools) ? tools : later.tools };
  return isDeepStrictEqual(read, earlier) ? earlier : read;
}
