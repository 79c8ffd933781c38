import { stat } from 'node:fs/promises';
import { watchPath } from '../../agent/locks/shared-file.ts';
import { companionOf, readCompanion, withCompanion } from '../import/companion-files.ts';
import { inDatabase } from '../import/opencode-database.ts';
import { isSessionInFolder } from '../import/opencode-folder.ts';
import { type NewRows, SessionRows } from '../import/opencode-rows.ts';
import { readSessionText } from '../import/session-text.ts';
import {
  largestTranscript,
  openTranscriptFile,
  readTranscriptFile,
  sizeOfTranscript,
} from '../import/transcript-file.ts';
import { type ReadLimits, unaskedLimits } from '../../transcripts/reading/read-limits.ts';
import { AppendedText, type TakenText } from './appended-text.ts';

/** Place of a session. */
export interface SourcePlace {
  /** Path as `ListedSession` has it, or of any file. */
  readonly path: string;
  /**
   * The part of it that is read first, as if the rest had come later: bytes of a file; of a session in a database, the rows
   * that were changed until then, in milliseconds since 1970.
   */
  readonly first?: number;
  /** Bounds of what is read of it; if not given, those of what reads by itself. */
  readonly limits?: ReadLimits;
}

/** The text of a session, now and whenever it changes. */
export interface SessionSource {
  /**
   * @param progress told the share that was read, from 0 to 1, as it grows
   * @param into takes what is new
   * @returns false if there is nothing new
   * @throws {SentenceError} if there is no such session
   * @throws {CancelledError} if the signal was aborted
   */
  read(into: TakenText, signal: AbortSignal, progress?: (share: number) => void): Promise<boolean>;
  /** @returns what ends it */
  watch(changed: () => void): () => void;
}

/**
 * The source of a session that was found, wherever its agent keeps it. A file is read piece by piece, a database row
 * by row; folders of files and documents in two files are read as a whole.
 */
export function sourceOf({ path, first, limits = unaskedLimits }: SourcePlace): SessionSource {
  const place = inDatabase(path);
  if (place !== undefined) return first === undefined ? inRows(place) : rowsInTwoParts(place, first);
  if (first !== undefined) return inTwoParts(path, first);
  if (isSessionInFolder(path)) return inFolder(path, limits);
  const beside = companionOf(path);
  if (beside !== undefined) return inTwoFiles(path, beside, limits);
  const file = new AppendedText(path);
  let isOpen = false;
  return {
    read: async (into, signal, progress) => {
      // What is wrong with a file is said when it is opened; later it may be gone for a moment.
      if (!isOpen) await sizeOfTranscript(path);
      isOpen = true;
      return file.read(into, signal, progress);
    },
    watch: (changed) => watchPath(path, changed),
  };
}

/** A session in a database, of which only rows that are new are read. */
function inRows({ database, sessionId }: { database: string; sessionId: string }): SessionSource {
  const rows = new SessionRows(database, sessionId);
  return {
    read: async (into) => take(into, await rows.read()),
    // What was written last is in the log next to the database.
    watch: (changed) => watchPaths([database, `${database}-wal`], changed),
  };
}

/** A session in a database that seems to grow once: from the rows up to a time to all of them. */
function rowsInTwoParts(
  { database, sessionId }: { database: string; sessionId: string },
  first: number,
): SessionSource {
  let isSecond = false;
  const all = new SessionRows(database, sessionId);
  return {
    read: async (into) => {
      const earlier = isSecond ? undefined : await new SessionRows(database, sessionId, first).read();
      isSecond = true;
      // A session without a message was not there.
      const hasMessages = earlier?.lines.some((line) => line.startsWith('{"table":"message"')) === true;
      return take(into, hasMessages ? earlier : await all.read());
    },
    watch: () => () => {},
  };
}

function take(into: TakenText, added: NewRows | undefined): boolean {
  if (added?.isWhole === true) into.reset();
  for (const line of added?.lines ?? []) into.append(line);
  return added !== undefined;
}

/** A session in a folder of files. One of them changes whenever the session does. */
function inFolder(path: string, limits: ReadLimits): SessionSource {
  let known: string | undefined;
  return {
    read: async (into, signal, progress) => {
      const text = await readSessionText(path, signal, limits, progress);
      if (text === known) return false;
      known = text;
      return take(into, { lines: [text], isWhole: true });
    },
    watch: (changed) => watchPath(path, changed),
  };
}

function watchPaths(paths: readonly string[], changed: () => void): () => void {
  const ends = paths.map((path) => watchPath(path, changed));
  return () => ends.forEach((end) => end());
}

/** A document, and the one that its agent keeps beside it. Each is read again once it has changed. */
function inTwoFiles(path: string, beside: string, limits: ReadLimits): SessionSource {
  let text = '';
  let brief: string | undefined;
  let read: readonly [string, string] | undefined;
  return {
    read: async (into, signal, progress) => {
      const [own, other] = await Promise.all([versionOf(path), versionOf(beside)]);
      const [isNew, isNewBeside] = [own !== read?.[0], other !== read?.[1]];
      if (!isNew && !isNewBeside) return false;
      if (isNew) text = await readTranscriptFile(path, signal, limits, progress, limits.document);
      // What is half-written leaves what was read before.
      if (isNewBeside) brief = (await readCompanion(path, signal, limits)) ?? brief;
      read = [own, other];
      return take(into, { lines: [withCompanion(path, text, brief)], isWhole: true });
    },
    watch: (changed) => watchPaths([path, beside], changed),
  };
}

/** A text that is another one once a file has changed; empty if there is none. */
async function versionOf(file: string): Promise<string> {
  const described = await stat(file, { bigint: true }).catch(() => undefined);
  return described === undefined ? '' : `${described.ino} ${described.size} ${described.mtimeNs}`;
}

/** A file that seems to grow once: from its first bytes to all of it. */
function inTwoParts(path: string, first: number): SessionSource {
  let from = 0;
  return {
    read: async (into) => {
      const { size } = await stat(path);
      const to = from === 0 && first > 0 ? Math.min(first, size) : size;
      if (to <= from || size > largestTranscript) return false;
      if (from === 0) into.reset();
      const file = await openTranscriptFile(path);
      for await (const piece of file.createReadStream({ start: from, end: to - 1 }))
        into.append(piece as Buffer);
      from = to;
      return true;
    },
    watch: () => () => {},
  };
}
