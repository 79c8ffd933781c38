import { readFileSync, renameSync, rmSync, type Stats } from 'node:fs';
import { chown, lstat, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { ensureFolder } from '../hooks/note-files.ts';
import type { ConfigFile } from './agent-config.ts';
import { bridgeSentences } from '../../language/bridge-english.ts';
import { ConfigError } from './json-config.ts';
import {
  keepReceipt,
  makeFolders,
  readReceipt,
  type Receipt,
  receiptFor,
  removeEmptyFolders,
  takeOut,
} from './receipts.ts';

/** A change of one file, to be shown before it is made. Undefined is a file that is not there. */
export interface ConfigChange {
  readonly kind: 'connect' | 'disconnect';
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /**
   * Applies the same change to the file's current text.
   *
   * @throws {ConfigError} if the text cannot be changed; it names the file
   */
  readonly repeat: (text: string | undefined) => Promise<string | undefined>;
}

/** Maximum retries of a change to a file that its agent keeps rewriting. */
const mostRepeats = 10;

/** @throws {ConfigError} if a file cannot be read or changed; it names the file */
export async function planConnection(files: readonly ConfigFile[]): Promise<readonly ConfigChange[]> {
  return changes('connect', files, (file, before = '') => Promise.resolve(file.connect(before)));
}

/**
 * Takes a connection away. What was added is taken out again byte for byte where it still stands as it was added;
 * otherwise the entries are removed.
 *
 * @param folder where `applyChanges` noted what it added
 * @throws {ConfigError} if a file cannot be read or changed; it names the file
 */
export async function planDisconnection(
  files: readonly ConfigFile[],
  folder: string,
): Promise<readonly ConfigChange[]> {
  return changes('disconnect', files, async (file, before) => {
    if (before === undefined) return undefined;
    const left = file.disconnect(before);
    const receipt = await readReceipt(folder, file.path);
    if (receipt === undefined) return left;
    if (receipt.wasMissing && /^\s*(?:\{\s*\}\s*)?$/u.test(left)) return undefined;
    return takenOut(before, receipt, file) ?? left;
  });
}

/** @returns undefined if the text that was added does not stand as it was, or not once */
function takenOut(text: string, receipt: Receipt, file: ConfigFile): string | undefined {
  const left = takeOut(text, receipt);
  // Other changes around it may need a comma that came with it.
  try {
    // The user's own entry with our name has been restored.
    return left !== undefined && file.disconnect(left) === left ? left : undefined;
  } catch {
    return undefined;
  }
}

/** True if every file holds the connection, or a part of it. One that cannot be read does not. */
export async function isConnected(files: readonly ConfigFile[]): Promise<boolean> {
  for (const file of files) {
    const text = await contentOf(file.path).catch(() => undefined);
    try {
      if (text === undefined || !file.isConnected(text.slice(markOf(text).length))) return false;
    } catch {
      return false;
    }
  }
  return true;
}

/**
 * Makes changes that a person has seen, each file in one step. Folders that connecting made go with the last file that
 * disconnecting leaves in them.
 *
 * @param folder gets a note of what was added, for taking it out again
 * If a file has changed since it was shown, the same change is applied to its current text.
 *
 * @throws {ConfigError} if a file can no longer be changed or written; nothing is written then
 */
export async function applyChanges(planned: readonly ConfigChange[], folder: string): Promise<void> {
  for (const change of planned) await checkWritable(change);
  await ensureFolder(folder);
  const made: MadeChange[] = [];
  try {
    for (const change of planned) made.push(await makeChange(change, folder));
  } catch (error) {
    // All of it or nothing: an agent that is connected by half would be neither.
    for (const one of made.toReversed()) await takeBack(one, folder).catch(() => {});
    throw error;
  }
  const left = made.filter(({ kind }) => kind === 'disconnect');
  await removeEmptyFolders(left.flatMap(({ earlier }) => earlier?.folders ?? []));
}

/** A change that was made, with what was noted of the file before. */
interface MadeChange extends ConfigChange {
  readonly earlier: Receipt | undefined;
  /** Folders that were made for it. */
  readonly folders: readonly string[];
}

async function makeChange(planned: ConfigChange, folder: string): Promise<MadeChange> {
  const { kind, path } = planned;
  const earlier = await readReceipt(folder, path);
  const folders = kind === 'connect' ? await foldersFor(path) : [];
  try {
    let change = planned;
    for (let repeats = 0; ; repeats++) {
      const { before, after } = change;
      // The receipt comes first: without it, a changed file could not be restored.
      if (kind === 'connect')
        await keepReceipt(folder, path, receiptFor(before, after ?? '', folders, earlier));
      if (await replaceConfig(path, before, after)) break;
      if (repeats === mostRepeats) throw new ConfigError(bridgeSentences.say('configChanged', { path }));
      const now = await contentOf(path);
      change = { ...change, before: now, after: await change.repeat(now) };
    }
    if (kind === 'disconnect') await keepReceipt(folder, path, undefined);
    return { ...change, earlier, folders };
  } catch (error) {
    await keepReceipt(folder, path, earlier);
    await removeEmptyFolders(folders);
    throw error;
  }
}

async function takeBack(
  { path, before, after, earlier, folders }: MadeChange,
  folder: string,
): Promise<void> {
  if (!(await replaceConfig(path, after, before))) return;
  await keepReceipt(folder, path, earlier);
  await removeEmptyFolders(folders);
}

/** A new file could take the place of one that is write-protected, but the protection is on purpose. */
async function checkWritable({ path }: ConfigChange): Promise<void> {
  const described = await stat(path).catch(() => undefined);
  if (described !== undefined && (described.mode & 0o222) === 0) throw unwritable(path);
}

function unwritable(path: string, cause?: unknown): ConfigError {
  const reason = bridgeSentences.say('configUnwritable');
  return new ConfigError(bridgeSentences.say('configFailed', { path, reason }), { cause });
}

async function changes(
  kind: ConfigChange['kind'],
  files: readonly ConfigFile[],
  changed: (file: ConfigFile, before: string | undefined) => Promise<string | undefined>,
): Promise<readonly ConfigChange[]> {
  const planned: ConfigChange[] = [];
  for (const file of files) {
    const { path } = file;
    const repeat = async (text: string | undefined) => {
      try {
        const mark = markOf(text);
        const after = await changed(file, text?.slice(mark.length));
        return after === undefined ? undefined : mark + after;
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        throw new ConfigError(bridgeSentences.say('configFailed', { path, reason: error.sentence }));
      }
    };
    const before = await contentOf(path);
    const after = await repeat(before);
    if (after !== before) planned.push({ kind, path, before, after, repeat });
  }
  return planned;
}

/** Some editors put a byte order mark in front, which no parser here takes. */
function markOf(text = ''): string {
  return text.startsWith('\uFEFF') ? '\uFEFF' : '';
}

async function contentOf(path: string): Promise<string | undefined> {
  return textOf(path, await readFile(path).catch((error: unknown) => undefinedIfMissing(path, error)));
}

function contentNow(path: string): string | undefined {
  try {
    return textOf(path, readFileSync(path));
  } catch (error) {
    undefinedIfMissing(path, error);
    return undefined;
  }
}

/** @throws {ConfigError} if the bytes are not valid text, because they could not be restored exactly */
function textOf(path: string, bytes: Uint8Array | undefined): string | undefined {
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function undefinedIfMissing(path: string, error: unknown): undefined {
  if (error instanceof ConfigError) throw error;
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unreadable(path, error);
}

function unreadable(path: string, cause: unknown): ConfigError {
  const reason = bridgeSentences.say('configUnreadable');
  return new ConfigError(bridgeSentences.say('configFailed', { path, reason }), { cause });
}

/** @returns the folders that were made for a file */
async function foldersFor(path: string): Promise<readonly string[]> {
  try {
    return await makeFolders(dirname(await targetOf(path)));
  } catch (error) {
    throw unwritable(path, error);
  }
}

/**
 * Writes a file in one step if it still has the expected text; deletes it if the new text is undefined.
 *
 * @returns false if the text has changed; nothing is written then
 */
async function replaceConfig(
  path: string,
  expected: string | undefined,
  text: string | undefined,
): Promise<boolean> {
  try {
    if (text !== undefined) return await replaceInPlace(path, expected, text);
    const isAsExpected = contentNow(path) === expected;
    if (isAsExpected) rmSync(path, { force: true });
    return isAsExpected;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw unwritable(path, error);
  }
}

async function replaceInPlace(path: string, expected: string | undefined, text: string): Promise<boolean> {
  const target = await targetOf(path);
  await ensureFolder(dirname(target));
  const described = await stat(target).catch(() => undefined);
  const fresh = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    await writeFile(fresh, text, { mode: described === undefined ? 0o600 : described.mode & 0o777 });
    if (described !== undefined) await keepOwner(fresh, described);
    // No await between the last read and the write: agents write these files, too.
    const isAsExpected = contentNow(path) === expected;
    if (isAsExpected) renameSync(fresh, target);
    return isAsExpected;
  } finally {
    await rm(fresh, { force: true });
  }
}

/** Keeps the owner of a file that root changes for another user. */
async function keepOwner(path: string, { uid, gid }: Stats): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, uid, gid);
}

/**
 * A link stays one: people keep such files in a repository of their own.
 *
 * @throws what the file system throws for a link to nowhere, which is no place to write to
 */
async function targetOf(path: string): Promise<string> {
  const isThere = await lstat(path).catch(() => undefined);
  return isThere === undefined ? path : realpath(path);
}
