import type { ReadPresentFile } from '../../compaction/files/restored-files.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { isSecretPath } from '../edits/sensitive-path.ts';
import { decodeText, readWholeText, withRealFile } from '../files/real-file.ts';
import { linesOfText } from '../files/text-lines.ts';
import type { Workspace } from '../files/workspace.ts';

/** Maximum bytes of a restored file. The session records the whole file, so that `recall` can return it. */
const largestFile = 200_000;

/** Returns a reader of files to restore after a summary. It works as `read_file`, but never reads secret files. */
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
      // Unreadable and deleted files are not restored.
      throwIfCancelled(signal);
      return undefined;
    }
  };
}
