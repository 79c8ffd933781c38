import type { ReadLimits } from '../../transcripts/reading/read-limits.ts';
import { companionOf, readCompanion, withCompanion } from './companion-files.ts';
import { inDatabase } from './opencode-database.ts';
import { folderSessionText, isSessionInFolder } from './opencode-folder.ts';
import { SessionRows } from './opencode-rows.ts';
import { largestTranscript, readTranscriptFile } from './transcript-file.ts';

/**
 * Reads a session from a file, several files, a folder, or a database.
 *
 * @param path path of a `ListedSession`, or of any file
 * @throws {SentenceError} if the session cannot be read
 * @throws {CancelledError} if the signal was aborted
 */
export async function readSessionText(
  path: string,
  signal: AbortSignal,
  limits: ReadLimits,
  progress: (share: number) => void = () => {},
): Promise<string> {
  const place = inDatabase(path);
  if (place !== undefined) {
    const rows = await new SessionRows(place.database, place.sessionId).read();
    return rows?.lines.join('') ?? '';
  }
  if (isSessionInFolder(path)) return folderSessionText(path, signal, limits);
  const largest = companionOf(path) === undefined ? largestTranscript : limits.document;
  const text = await readTranscriptFile(path, signal, limits, progress, largest);
  return withCompanion(path, text, await readCompanion(path, signal, limits));
}
