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

export interface SourcePlace {
  /** Path of a `ListedSession`, or of any file. */
  readonly path: string;
  /** The part to read first, as if the rest were added later: a number of bytes, or a time in a database. */
  readonly first?: number;
  /** Path of a recording of the same session, whose content is added. */
  readonly recording?: string | undefined;
  /** Limits on reading; by default the limits for reading in the background. */
  readonly limits?: ReadLimits | undefined;
}

/** The text of a session, read first as a whole and then after each change. */
export interface SessionSource {
  /**
   * Reads new text.
   *
   * @returns false if nothing has changed
   * @throws {SentenceError} if the session does not exist
   * @throws {CancelledError} if the signal was aborted
   */
  read(into: TakenText, signal: AbortSignal, progress?: (share: number) => void): Promise<boolean>;
  /** @returns a function that stops watching */
  watch(changed: () => void): () => void;
}

/** The source of a session. Files are read piece by piece, databases row by row, folders and file pairs as a whole. */
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
      // Checked only on opening, because later the file may be missing for a moment.
      if (!isOpen) await sizeOfTranscript(path);
      isOpen = true;
      return file.read(into, signal, progress);
    },
    watch: (changed) => watchPath(path, changed),
  };
}

/** A session in a database. Only new rows are read. */
function inRows({ database, sessionId }: { database: string; sessionId: string }): SessionSource {
  const rows = new SessionRows(database, sessionId);
  return {
    read: async (into) => take(into, await rows.read()),
    // The newest writes are in the database's log.
    watch: (changed) => watchPaths([database, `${database}-wal`], changed),
  };
}

/** A session in a database that appears to grow in two steps: first the rows up to a time, then all rows. */
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
      // A session that had no messages at that time did not exist yet.
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

/** A session in a folder. Each change of the session changes one of its files. */
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

/** A document and its companion. Each is read again when it has changed. */
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
      // While the companion is incomplete, the earlier content stays valid.
      if (isNewBeside) brief = (await readCompanion(path, signal, limits)) ?? brief;
      read = [own, other];
      return take(into, { lines: [withCompanion(path, text, brief)], isWhole: true });
    },
    watch: (changed) => watchPaths([path, beside], changed),
  };
}

/** A version string that changes with a file; empty if the file does not exist. */
async function versionOf(file: string): Promise<string> {
  const described = await stat(file, { bigint: true }).catch(() => undefined);
  return described === undefined ? '' : `${described.ino} ${described.size} ${described.mtimeNs}`;
}

/** A file that appears to grow in two steps: first the first bytes, then the whole file. */
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
