import { watchPath } from '../../agent/locks/shared-file.ts';
import { inDatabase } from '../import/opencode-database.ts';
import { isSessionInFolder } from '../import/opencode-folder.ts';
import { readSessionText } from '../import/session-text.ts';
import { sizeOfTranscript } from '../import/transcript-file.ts';
import { AppendedText, type NewText } from './appended-text.ts';

/** The place that a session is read from, now and whenever it changes. */
export interface SessionSource {
  /**
   * @param progress told the share that was read, from 0 to 1, as it grows
   * @returns undefined if there is nothing new
   * @throws {SentenceError} if there is no such session
   * @throws {CancelledError} if the signal was aborted
   */
  read(signal: AbortSignal, progress?: (share: number) => void): Promise<NewText | undefined>;
  /** @returns what ends it */
  watch(changed: () => void): () => void;
}

/**
 * The source of a session that was found, wherever its agent keeps it. Only a file is read piece by piece: databases
 * and folders of files are read as a whole.
 *
 * @param path as `FoundSession` has it, or of any file
 */
export function sourceOf(path: string): SessionSource {
  const place = inDatabase(path);
  if (place !== undefined) {
    // What was written last is in the log next to the database.
    return wholeSource(path, [place.database, `${place.database}-wal`]);
  }
  if (isSessionInFolder(path)) return wholeSource(path, [path]);
  const file = new AppendedText(path);
  let isOpen = false;
  return {
    read: async (signal, progress) => {
      // What is wrong with a file is said when it is opened; later it may be gone for a moment.
      if (!isOpen) await sizeOfTranscript(path);
      isOpen = true;
      return file.read(signal, progress);
    },
    watch: (changed) => watchPath(path, changed),
  };
}

/** @param watched files of which one changes whenever the session does */
function wholeSource(path: string, watched: readonly string[]): SessionSource {
  let known: string | undefined;
  return {
    read: async (signal, progress) => {
      const text = await readSessionText(path, signal, progress);
      if (text === known) return undefined;
      known = text;
      return { text, isWhole: true };
    },
    watch: (changed) => {
      const ends = watched.map((one) => watchPath(one, changed));
      return () => ends.forEach((end) => end());
    },
  };
}
