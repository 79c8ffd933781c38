import { makePrivateFolder } from '../files/private-files.ts';
import { readIfThere, readOrSetAside, replaceFile } from '../files/replace-file.ts';
import fs, { type FSWatcher, unwatchFile, watch, watchFile } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SentenceError } from '../../language/sentence.ts';
import { startupSentences } from '../../language/english/startup-english.ts';

/** A small file that several windows change: each change is made to what the file holds at that moment. */
export class SharedFile {
  readonly path: string;
  private changing: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** @returns undefined if there is no file. @throws any other error of the file system */
  read(): Promise<string | undefined> {
    return readIfThere(this.path);
  }

  /**
   * Changes of this window are made in the order in which they are asked for.
   *
   * @param change gets the text, undefined if there is no file; returns the text to write, undefined to leave it
   * @throws what the file system throws; then the file is as it was
   */
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
      // Where the lock was lost there is nothing to give back.
      await release().catch(() => {});
    }
  }
}

/** Milliseconds without a sign of life after which a lock is another's to take. */
export const staleAfter = 10_000;
const heartbeat = 2_000;

/** Tries to get a short lock held by another process: about three seconds. */
const patience = { retries: 40, minTimeout: 10, maxTimeout: 100 };

/**
 * Takes a lock that all processes on the file system see: a folder next to the file, touched while its owner lives.
 *
 * @param lost called when the lock is another's now, for example after this process slept for too long
 * @param waits whether another owner is waited for
 * @returns what gives the lock back, or undefined if another has it
 * @throws what the file system throws, for example if nothing can be written
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

/** Removes a lock that has become a file or was put something into, too: otherwise nobody could ever take it. */
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

/**
 * Removes a lock that was touched last before the clock was set back, and is not touched any more. It would be a living
 * process's until the clock gets there.
 *
 * @returns whether there was one
 */
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
