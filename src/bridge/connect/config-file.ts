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
 * Bytes of the largest configuration that is changed: its tree takes fifty times as much memory. Agents keep lists of
 * prompts in theirs, of some megabytes.
 */
const largestConfig = 10_000_000;
/** A pipe is not waited for. Windows has no such flag, which then counts as 0. */
const { O_RDONLY, O_NONBLOCK } = constants;

/**
 * The text of a configuration, through links; undefined if there is none. It is read without an `await`, so that it can
 * be compared right before it is replaced.
 *
 * @throws {ConfigError} if it is no file, is too large, or its bytes are no text, which could not be restored exactly
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
 * A new file takes the place of the old one, so nothing about the old one may be on purpose that the new one cannot
 * have: write protection, another owner, further names.
 *
 * @throws {ConfigError} if a file is there that cannot be replaced
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
 * Writes a file in one step if it still has the expected text; deletes it if the new text is undefined. A link stays
 * one: people keep such files in a repository of their own.
 *
 * @returns false if the text or the place of the file has changed; nothing is written then
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
  // Always the same, so that what a process that was killed has left is replaced: one at a time makes changes.
  const fresh = join(dirname(target), `.${basename(target)}.context-budget.tmp`);
  // No await from here on: agents write these files, too.
  try {
    rmSync(fresh, { force: true });
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', flush: true });
    const described = statSync(target, { throwIfNoEntry: false });
    if (described !== undefined) keepOwnerAndMode(fresh, described);
    checkReplaceable(path);
    // The comparison is the last thing before the write: between the two nothing can be found out any more.
    if (resolvedPath(path) !== target || !isStill(path, expected)) return false;
    return expected === undefined ? placed(fresh, target) : renamed(fresh, target);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** True if the file has this text, and was not replaced while it was read. */
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

/** Puts a file where none is. @returns false if there is one by now */
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

/** @throws what the file system throws if the file cannot have them */
function keepOwnerAndMode(path: string, { uid, gid, mode }: Stats): void {
  const now = statSync(path);
  if (now.uid !== uid || now.gid !== gid) chownSync(path, uid, gid);
  chmodSync(path, mode & 0o777);
}

/**
 * The file that a path leads to, through links.
 *
 * @throws what the file system throws for a link to nowhere, which is no place to write to
 */
export function resolvedPath(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? path : realpathSync(path);
}

/** True for a link of the user's to a configuration elsewhere. */
export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/**
 * The folder of scripts and receipts, made so that only its owner can look into it.
 *
 * @throws {ConfigError} if it belongs to another user
 * @throws what the file system throws
 */
export async function ensureStateFolder(folder: string): Promise<void> {
  await ensureFolder(folder);
  if (!(await isOwnFolder(folder))) throw refusal(folder, bridgeSentences.say('configOfAnother'));
}

/** A configuration that cannot be written. */
export function unwritable(path: string, cause?: unknown): ConfigError {
  return refusal(path, bridgeSentences.say('configUnwritable'), cause);
}

/** A configuration that is not changed, with its path and the reason. */
export function refusal(path: string, reason: Sentence, cause?: unknown): ConfigError {
  return new ConfigError(bridgeSentences.say('configFailed', { path, reason }), { cause });
}
