import { unwatchFile, watch, watchFile, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Milliseconds between looks at a file, for where the operating system tells nothing of changes. */
const lookEvery = 500;

/**
 * Tells of every change of a file, also where it comes or goes: at once where the operating system tells it, after a
 * moment where it does not, as in a folder on another machine.
 *
 * @returns what ends it
 */
export function watchPath(path: string, changed: () => void): () => void {
  const name = basename(path);
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(path), { persistent: false }, (_event, changedName) => {
      if (changedName === null || changedName === name) changed();
    });
    watcher.on('error', () => watcher?.close());
  } catch {
    // No folder, or no watches left: it is looked at now and then.
  }
  watchFile(path, { interval: lookEvery, persistent: false }, changed);
  return () => {
    watcher?.close();
    unwatchFile(path, changed);
  };
}
