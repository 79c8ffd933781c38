import { lstat, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
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
}

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
 * @throws {ConfigError} if a file changed since it was shown, or cannot be written; nothing is written then
 */
export async function applyChanges(planned: readonly ConfigChange[], folder: string): Promise<void> {
  for (const change of planned) {
    await checkUnchanged(change);
    await checkWritable(change);
  }
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

async function makeChange(change: ConfigChange, folder: string): Promise<MadeChange> {
  const { kind, path, before, after } = change;
  const earlier = await readReceipt(folder, path);
  if (kind === 'disconnect') {
    await checkUnchanged(change);
    await writeConfig(path, after);
    await keepReceipt(folder, path, undefined);
    return { ...change, earlier, folders: [] };
  }
  const folders = await foldersFor(path);
  try {
    // The receipt comes first: a file changed without one could not become what it was.
    await keepReceipt(folder, path, receiptFor(before, after ?? '', folders, earlier));
    await checkUnchanged(change);
    await writeConfig(path, after);
  } catch (error) {
    await keepReceipt(folder, path, earlier);
    await removeEmptyFolders(folders);
    throw error;
  }
  return { ...change, earlier, folders };
}

async function takeBack(
  { path, before, after, earlier, folders }: MadeChange,
  folder: string,
): Promise<void> {
  await checkUnchanged({ path, before: after });
  await writeConfig(path, before);
  await keepReceipt(folder, path, earlier);
  await removeEmptyFolders(folders);
}

async function checkUnchanged({ path, before }: Pick<ConfigChange, 'path' | 'before'>): Promise<void> {
  if ((await contentOf(path)) === before) return;
  throw new ConfigError(bridgeSentences.say('configChanged', { path }));
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
    try {
      const before = await contentOf(path);
      const mark = markOf(before);
      const text = await changed(file, before?.slice(mark.length));
      const after = text === undefined ? undefined : mark + text;
      if (after !== before) planned.push({ kind, path, before, after });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new ConfigError(bridgeSentences.say('configFailed', { path, reason: error.sentence }));
    }
  }
  return planned;
}

/** Some editors put a byte order mark in front, which no parser here takes. */
function markOf(text = ''): string {
  return text.startsWith('\uFEFF') ? '\uFEFF' : '';
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    // Bytes that are no text would not come back as they were.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ConfigError(bridgeSentences.say('configUnreadable'), { cause: error });
  }
}

/** @returns the folders that were made for a file */
async function foldersFor(path: string): Promise<readonly string[]> {
  try {
    return await makeFolders(dirname(await targetOf(path)));
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Writes a file in one step; takes it away if undefined. */
async function writeConfig(path: string, text: string | undefined): Promise<void> {
  try {
    if (text === undefined) await rm(path, { force: true });
    else await writeInPlace(await targetOf(path), text);
  } catch (error) {
    throw unwritable(path, error);
  }
}

async function writeInPlace(target: string, text: string): Promise<void> {
  await ensureFolder(dirname(target));
  const mode = await stat(target).then(
    (described) => described.mode & 0o777,
    () => 0o600,
  );
  const fresh = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    await writeFile(fresh, text, { mode });
    await rename(fresh, target);
  } finally {
    await rm(fresh, { force: true });
  }
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
