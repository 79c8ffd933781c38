import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { isRecord } from '../../language/is-record.ts';
import { noteFile, writeWhole } from '../hooks/note-files.ts';
import type { ConfigFile } from './agent-config.ts';
import { bridgeSentences } from '../../language/bridge-english.ts';
import { ConfigError } from './config-error.ts';

/** A change of one file, to be shown before it is made. Undefined is a file that is not there. */
export interface ConfigChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** @throws {ConfigError} if a file cannot be read or changed; it names the file */
export async function planConnection(files: readonly ConfigFile[]): Promise<readonly ConfigChange[]> {
  return changes(files, (file, before) => Promise.resolve(file.connect(before ?? '')));
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
  return changes(files, async (file, before) => {
    if (before === undefined) return undefined;
    const left = file.disconnect(before);
    const receipt = await receiptOf(folder, file.path);
    if (receipt === undefined) return left;
    if (receipt.wasMissing && /^\s*(?:\{\s*\}\s*)?$/u.test(left)) return undefined;
    return takenOut(before, receipt, file) ?? left;
  });
}

/** @returns undefined if the text that was added does not stand as it was, or not once */
function takenOut(text: string, { added, replaced }: Receipt, file: ConfigFile): string | undefined {
  const start = text.indexOf(added);
  if (added === '' || start < 0 || text.includes(added, start + 1)) return undefined;
  const left = text.slice(0, start) + replaced + text.slice(start + added.length);
  // Other changes around it may need a comma that came with it.
  try {
    return file.disconnect(left) === left ? left : undefined;
  } catch {
    return undefined;
  }
}

/** True if every file holds the connection. One that cannot be read does not. */
export async function isConnected(files: readonly ConfigFile[]): Promise<boolean> {
  for (const file of files) {
    const text = await contentOf(file.path).catch(() => undefined);
    try {
      if (text === undefined || !file.isConnected(text)) return false;
    } catch {
      return false;
    }
  }
  return true;
}

/**
 * Makes changes that a person has seen, each file in one step.
 *
 * @param folder gets a note of what was added, for taking it out again
 * @throws {ConfigError} if a file changed since it was shown; nothing is written then
 */
export async function applyChanges(planned: readonly ConfigChange[], folder: string): Promise<void> {
  for (const change of planned) await checkUnchanged(change);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made: ConfigChange[] = [];
  try {
    for (const change of planned) {
      await makeChange(change, folder);
      made.push(change);
    }
  } catch (error) {
    // All of it or nothing: an agent that is connected by half would be neither.
    for (const { path, before, after } of made.toReversed()) {
      await makeChange({ path, before: after, after: before }, folder).catch(() => {});
    }
    throw error;
  }
}

async function makeChange(change: ConfigChange, folder: string): Promise<void> {
  const { path, after } = change;
  // The receipt comes first: a file changed without one could not become what it was.
  if (after !== undefined) {
    await writeWhole(noteFile(folder, path, 'receipt'), JSON.stringify(receiptFor(change)));
  }
  await checkUnchanged(change);
  if (after === undefined) await rm(path, { force: true });
  else await writeConfig(path, after);
}

async function checkUnchanged({ path, before }: ConfigChange): Promise<void> {
  if ((await contentOf(path)) === before) return;
  throw new ConfigError(bridgeSentences.say('configChanged', { path }));
}

async function changes(
  files: readonly ConfigFile[],
  changed: (file: ConfigFile, before: string | undefined) => Promise<string | undefined>,
): Promise<readonly ConfigChange[]> {
  const planned: ConfigChange[] = [];
  for (const file of files) {
    const { path } = file;
    try {
      const before = await contentOf(path);
      const after = await changed(file, before);
      if (after !== before) planned.push({ path, before, after });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new ConfigError(bridgeSentences.say('configFailed', { path, reason: error.sentence }));
    }
  }
  return planned;
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

/** A link stays one: people keep such files in a repository of their own. */
async function writeConfig(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  await mkdir(dirname(target), { recursive: true });
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

/** Text that a connection added to a file, and the text in its place before: never more of the file than that. */
interface Receipt {
  readonly wasMissing: boolean;
  readonly added: string;
  readonly replaced: string;
}

function receiptFor({ before, after = '' }: ConfigChange): Receipt {
  const old = before ?? '';
  const most = Math.min(old.length, after.length);
  let start = 0;
  while (start < most && old[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === after[after.length - 1 - end]) end++;
  return {
    wasMissing: before === undefined,
    added: after.slice(start, after.length - end),
    replaced: old.slice(start, old.length - end),
  };
}

async function receiptOf(folder: string, path: string): Promise<Receipt | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(noteFile(folder, path, 'receipt'), 'utf8'));
    if (!isRecord(value)) return undefined;
    const { wasMissing, added, replaced } = value;
    const isWhole =
      typeof wasMissing === 'boolean' && typeof added === 'string' && typeof replaced === 'string';
    return isWhole ? { wasMissing, added, replaced } : undefined;
  } catch {
    return undefined;
  }
}
