import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bridgeSentences } from '../../language/english/bridge-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { ensureFolder, isOwnFolder } from '../hooks/note-files.ts';
import { ConfigError } from './json-config.ts';

/**
 * Maximum bytes of a configuration. Its syntax tree takes fifty times as much memory. Agents store lists of
 * prompts there, some of several megabytes.
 */
const largestConfig = 10_000_000;
/** Flags to open a file without waiting for a pipe. Windows lacks `O_NONBLOCK`, which then counts as 0. */
const { O_RDONLY, O_NONBLOCK } = constants;

/**
 * Returns the text of a configuration, following links; undefined if missing. It reads synchronously, so that the
 * text can be compared right before it is replaced.
 * @throws {ConfigError} if it is not a file, is too large, or is not UTF-8, which could not be restored exactly
 */
export function configText(path: string): string | undefined {
  let file: number | undefined;
  try {
    if (!statSync(path).isFile()) throw refusal(path, bridgeSentences.say('configUnreadable'));
    file = openSync(path, O_RDONLY | O_NONBLOCK);
    if (fstatSync(file).size > largestConfig) {
      throw refusal(path, bridgeSentences.say('configTooLarge', { megabytes: String(largestConfig / 1e6) }));
    }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw refusal(path, bridgeSentences.say('configUnreadable'), error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Checks that a file can be replaced. A new file would lose write protection, another owner, and hard links.
 * @throws {ConfigError} if an existing file cannot be replaced
 */
export function checkReplaceable(path: string): void {
  const described = statSync(path, { throwIfNoEntry: false });
  if (described === undefined) return;
  if ((described.mode & 0o222) === 0) throw unwritable(path);
  const user = process.geteuid?.() ?? described.uid;
  if (user !== 0 && described.uid !== user) throw refusal(path, bridgeSentences.say('configOfAnother'));
  if (described.nlink > 1) throw refusal(path, bridgeSentences.say('configHardLinked'));
}

/**
 * Writes a file in one step if it still has the expected text; deletes it if the new text is undefined. A link is kept,
 * because users may store such files in a repository.
 * @returns false if the text or the place of the file has changed; then nothing is written
 * @throws {ConfigError} if it cannot be written
 */
export async function replaceConfig(
  path: string,
  expected: string | undefined,
  text: string | undefined,
): Promise<boolean> {
  try {
    if (text !== undefined) return await replaceInPlace(path, expected, text);
    const isAsExpected = isStill(path, expected);
    if (isAsExpected) rmSync(path, { force: true });
    return isAsExpected;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw unwritable(path, error);
  }
}

async function replaceInPlace(path: string, expected: string | undefined, text: string): Promise<boolean> {
  const target = resolvedPath(path);
  await ensureFolder(dirname(target));
  // The name is fixed, so that a file left by a killed process is replaced. Only one process makes changes at a time.
  const fresh = join(dirname(target), `.${basename(target)}.context-budget.tmp`);
  // No `await` from here on, because agents write these files, too.
  try {
    rmSync(fresh, { force: true });
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', flush: true });
    const described = statSync(target, { throwIfNoEntry: false });
    if (described !== undefined) keepOwnerAndMode(fresh, described);
    checkReplaceable(path);
    // The comparison comes right before the write, so that almost no change can happen in between.
    if (resolvedPath(path) !== target || !isStill(path, expected)) return false;
    return expected === undefined ? placed(fresh, target) : renamed(fresh, target);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** True if the file has this text and did not change while it was read. */
function isStill(path: string, expected: string | undefined): boolean {
  const before = stateOf(path);
  return configText(path) === expected && stateOf(path) === before;
}

function stateOf(path: string): string | undefined {
  const described = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (described === undefined) return undefined;
  const { dev, ino, size, mtimeNs } = described;
  return [dev, ino, size, mtimeNs].join(' ');
}

function renamed(fresh: string, target: string): true {
  renameSync(fresh, target);
  return true;
}

/** Moves a file to a free path. @returns false if another file exists there by now */
function placed(fresh: string, target: string): boolean {
  try {
    linkSync(fresh, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // Not every file system has hard links.
    return renamed(fresh, target);
  }
}

/** @throws errors of the file system if it cannot set the owner or the mode */
function keepOwnerAndMode(path: string, { uid, gid, mode }: Stats): void {
  const now = statSync(path);
  if (now.uid !== uid || now.gid !== gid) chownSync(path, uid, gid);
  chmodSync(path, mode & 0o777);
}

/**
 * Returns the file that a path leads to through links.
 * @throws the error of the file system for a broken link, which cannot be written to
 */
export function resolvedPath(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? path : realpathSync(path);
}

/** True if the path is the user's link to a configuration elsewhere. */
export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/**
 * Creates the folder of scripts and receipts, readable only by its owner.
 * @throws {ConfigError} if it belongs to another user
 * @throws errors of the file system
 */
export async function ensureStateFolder(folder: string): Promise<void> {
  await ensureFolder(folder);
  if (!(await isOwnFolder(folder))) throw refusal(folder, bridgeSentences.say('configOfAnother'));
}

/** Returns an error for a configuration that cannot be written. */
export function unwritable(path: string, cause?: unknown): ConfigError {
  return refusal(path, bridgeSentences.say('configUnwritable'), cause);
}

/** Returns an error for a refused change, with the path of the configuration and the reason. */
export function refusal(path: string, reason: Sentence, cause?: unknown): ConfigError {
  return new ConfigError(bridgeSentences.say('configFailed', { path, reason }), { cause });
}
