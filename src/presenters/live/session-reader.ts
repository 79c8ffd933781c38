import { isDeepStrictEqual } from 'node:util';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { followTranscript } from '../../transcripts/followed-transcript.ts';
import type { ReadOnlyPorts, ReadSession } from '../import/read-only-session.ts';
import { unaskedLimits } from '../../transcripts/reading/read-limits.ts';
import { withRecording } from '../import/joined-recording.ts';
import { type SessionSource, sourceOf, type SourcePlace } from './session-source.ts';

/** Reads a session of another agent now and after each change. */
export interface SessionReader {
  /**
   * Reads changes. Unchanged parts stay the same objects.
   *
   * @returns undefined if nothing has changed
   * @throws {SentenceError} if the session cannot be read now
   * @throws {CancelledError} if the signal was aborted
   */
  read(signal: AbortSignal, progress?: (share: number) => void): Promise<ReadSession | undefined>;
  /** @returns a function that stops watching */
  watch(changed: () => void): () => void;
  dispose(): void;
}

export interface ReadingPorts extends ReadOnlyPorts {
  readonly readerOf: (place: SourcePlace) => Promise<SessionReader>;
  /** Returns the session's entry in the list, or undefined. */
  readonly listedAs?: ((path: string) => Promise<ListedAs | undefined>) | undefined;
}

/** A session as an entry in the list of all sessions. */
export interface ListedAs {
  readonly title: string;
  /** Absolute path of the agent's working folder, if the session's file or a neighbouring file states it. */
  readonly workspace?: string | undefined;
  readonly isLive: boolean;
  /** Path of the newest recording of the session. */
  readonly recording?: string | undefined;
}

/** Returns a reader that works on this thread. */
export function readerOf(place: SourcePlace): SessionReader {
  const { recording, limits } = place;
  const reader = readerOfSource(sourceOf(place), limits);
  return recording === undefined
    ? reader
    : joined(reader, readerOfSource(sourceOf({ path: recording, limits }), limits));
}

/** Reads a session together with a recording of it. A recording that cannot be read adds nothing. */
function joined(session: SessionReader, recording: SessionReader): SessionReader {
  let [own, recorded, known]: (ReadSession | undefined)[] = [];
  return {
    read: async (signal, progress) => {
      const [next, nextRecorded] = await Promise.all([
        session.read(signal, progress),
        recording.read(signal).catch(() => undefined),
      ]);
      if (next === undefined && nextRecorded === undefined) return undefined;
      [own, recorded] = [next ?? own, nextRecorded ?? recorded];
      if (own === undefined) return undefined;
      known = recorded === undefined ? own : withKnownParts(withRecording(own, recorded), known);
      return known;
    },
    watch: (changed) => {
      const ends = [session.watch(changed), recording.watch(changed)];
      return () => ends.forEach((end) => end());
    },
    dispose: () => {
      session.dispose();
      recording.dispose();
    },
  };
}

/** @param limits limits on the source */
function readerOfSource(source: SessionSource, limits = unaskedLimits): SessionReader {
  const transcript = followTranscript('auto', limits);
  let known: ReadSession | undefined;
  /** False while the source cannot be read. Every reading then throws. */
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

/** Returns a later state in which equal parts are the earlier objects; the earlier state if all parts are equal. */
export function withKnownParts(later: ReadSession, earlier: ReadSession | undefined): ReadSession {
  if (earlier === undefined) return later;
  const { tools } = earlier;
  const entries = later.entries.map((entry, index): TranscriptEntry => {
    const known = earlier.entries[index];
    return known === entry || (known !== undefined && isDeepStrictEqual(known, entry)) ? known : entry;
  });
  const read = { ...later, entries, tools: isDeepStrictEqual(tools, later.tools) ? tools : later.tools };
  return isDeepStrictEqual(read, earlier) ? earlier : read;
}
