import type { ReadPresentFile } from '../../compaction/files/returning-files.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { isSecretPath } from '../edits/sensitive-path.ts';
import { decodeText, readWholeText, withRealFile } from '../files/real-file.ts';
import { linesOfText } from '../files/text-lines.ts';
import type { Workspace } from '../files/workspace.ts';

/** Bytes of the largest file that comes back: its record holds it whole, so that `recall` can return it. */
const largestFile = 200_000;

/**
 * Reads files that come back after a summary, with the refusals of `read_file`: outside the workspace, binary, or a
 * directory. Nobody is asked, so a file that may hold secrets never comes back.
 */
export function presentFileReader(workspace: Workspace): ReadPresentFile {
  return async (path, signal) => {
    const resolution = await workspace.resolve(path);
    if ('refusal' in resolution || isSecretPath(resolution.place.shown)) return undefined;
    const { place } = resolution;
    try {
      return await withRealFile(place.path, async (file) => {
        const { mtimeMs: modifiedAt } = await file.handle.stat();
        const reading = await readWholeText(file, largestFile, signal);
        if ('refusal' in reading) return undefined;
        return { path: place.shown, lines: linesOfText(decodeText(reading.bytes)), modifiedAt };
      });
    } catch {
      // What cannot be read stays away, as what is gone does.
      throwIfCancelled(signal);
      return undefined;
    }
  };
}
