import { makePrivateFolder, privateFile } from '../files/private-files.ts';
import { randomBytes } from 'node:crypto';
import { type FSWatcher, unwatchFile, watch, watchFile } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { SentenceError } from '../../language/sentence.ts';
import { startupSentences } from '../../language/startup-english.ts';

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
      const text = change(await this.read());
      if (text !== undefined) await replaceFile(this.path, text);
    } finally {
      // Where the lock was lost there is nothing to give back.
      await release().catch(() => {});
    }
  }
}

/**
 * Replaces a file: readers see what it held before or what it holds now, also after a crash.
 *
 * @throws what the file system throws; then the file is as it was
 */
export async function replaceFile(path: string, contents: string | Uint8Array): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    await writeFile(beside, contents, { mode: privateFile, flush: true });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** @returns undefined if there is no such file. @throws any other error of the file system */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
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
  const { default: lockfile } = await import('proper-lockfile');
  try {
    return await lockfile.lock(path, {
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
