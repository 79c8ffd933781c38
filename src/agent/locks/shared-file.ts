import { makePrivateFolder } from '../files/private-files.ts';
import { readIfThere, readOrSetAside, replaceFile } from '../files/replace-file.ts';
import fs, { type FSWatcher, unwatchFile, watch, watchFile } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SentenceError } from '../../language/sentence.ts';
import { startupSentences } from '../../language/english/startup-english.ts';

/** A small file that several windows change. Each change is applied to the current content. */
export class SharedFile {
  readonly path: string;
  private changing: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** @returns undefined if the file is missing @throws any other error of the file system */
  read(): Promise<string | undefined> {
    return readIfThere(this.path);
  }

  /** Changes the text in the order of the calls, unless `change` returns undefined. @throws file system errors */
  change(change: (text: string | undefined) => string | undefined): Promise<void> {
    const changed = this.changing.then(() => this.changeNow(change));
    this.changing = changed.catch(() => {});
    return changed;
  }

  private async changeNow(change: (text: string | undefined) => string | undefined): Promise<void> {
    const release = await lockFile(this.path, () => {}, true);
    if (release === undefined) throw new SentenceError(startupSentences.say('fileIsLocked'));
    try {
      const text = change(await readOrSetAside(this.path));
      if (text !== undefined) await replaceFile(this.path, text);
    } finally {
      // A lost lock cannot be released.
      await release().catch(() => {});
    }
  }
}

/** Milliseconds without an update after which another process may take a lock. */
export const staleAfter = 10_000;
const heartbeat = 2_000;

/** Retries for about three seconds while another process holds a lock that it needs only briefly. */
const patience = { retries: 40, minTimeout: 10, maxTimeout: 100 };

/**
 * Takes a lock: a folder next to the file. Its owner regularly updates the folder's time.
 * @param lost called if another process takes the lock
 * @returns a function that releases it, or undefined if another process has it
 * @throws errors of the file system
 */
export async function lockFile(
  path: string,
  lost: () => void,
  waits = false,
): Promise<(() => Promise<void>) | undefined> {
  await makePrivateFolder(dirname(path));
  const unlock = await tryLock(path, lost, waits);
  if (unlock !== undefined || !(await removeIfLeftInFuture(path))) return unlock;
  return tryLock(path, lost, false);
}

async function tryLock(
  path: string,
  lost: () => void,
  waits: boolean,
): Promise<(() => Promise<void>) | undefined> {
  const { default: lockfile } = await import('proper-lockfile');
  try {
    return await lockfile.lock(path, {
      fs: lockFiles,
      realpath: false,
      stale: staleAfter,
      update: heartbeat,
      onCompromised: lost,
      ...(waits ? { retries: patience } : {}),
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOCKED') return undefined;
    throw error;
  }
}

/** File functions that also remove a lock that is a file or has content. It would block all others. */
const lockFiles = {
  ...fs,
  stat: fs.lstat,
  rmdir: (path: string, done: fs.NoParamCallback) => {
    fs.rmdir(path, (error) => {
      if (error === null || error.code === 'ENOENT') done(error);
      else fs.rm(path, { recursive: true, force: true }, done);
    });
  },
};

/** Removes a lock that seems alive because it was touched before the clock was set back. @returns true if removed */
async function removeIfLeftInFuture(path: string): Promise<boolean> {
  const lock = `${path}.lock`;
  const touchedAt = () =>
    lstat(lock).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
  const before = await touchedAt();
  if (before === undefined || before <= Date.now() + staleAfter) return false;
  await wait(2 * heartbeat);
  if ((await touchedAt()) !== before) return false;
  await rm(lock, { recursive: true, force: true });
  return true;
}

/** Milliseconds between checks of a file whose changes the operating system does not report. */
const lookEvery = 500;

/** Reports changes of a file, with delay if the system sends no events. @returns a function to stop it */
export function watchPath(path: string, changed: () => void): () => void {
  const name = basename(path);
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(path), { persistent: false }, (_event, changedName) => {
      if (changedName === null || changedName === name) changed();
    });
    watcher.on('error', () => watcher?.close());
  } catch {
    // The file is also checked at intervals, in case the folder is missing or the system cannot watch it.
  }
  watchFile(path, { interval: lookEvery, persistent: false }, changed);
  return () => {
    watcher?.close();
    unwatchFile(path, changed);
  };
}
