import { dirname, join } from 'node:path';
import { lockFile } from '../../agent/locks/shared-file.ts';
import { bridgeSentences } from '../../language/english/bridge-english.ts';
import type { ConfigFile } from './agent-config.ts';
import {
  checkReplaceable,
  configText,
  ensureStateFolder,
  isLink,
  refusal,
  replaceConfig,
  resolvedPath,
  unwritable,
} from './config-file.ts';
import { ConfigError } from './json-config.ts';
import {
  keepReceipt,
  makeFolders,
  putBack,
  readReceipt,
  type StoredReceipt,
  type Receipt,
  receiptFor,
  removeEmptyFolders,
  removeReceipt,
  takeOut,
} from './receipts.ts';

/** A change to one file, shown before it is made. The text of a missing file is undefined. */
export interface ConfigChange {
  readonly kind: 'connect' | 'disconnect';
  readonly file: ConfigFile;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /**
   * Applies the same change to the file's current text.
   * @throws {ConfigError} if the text cannot be changed; the error names the file
   */
  readonly repeat: (text: string | undefined) => Promise<string | undefined>;
}

/** Maximum number of retries for a file that its agent rewrites again and again. */
const mostRepeats = 50;

/** @throws {ConfigError} if a file cannot be read or changed; the error names the file */
export async function planConnection(files: readonly ConfigFile[]): Promise<readonly ConfigChange[]> {
  return changes('connect', files, (file, before = '') => Promise.resolve(file.connect(before)));
}

/**
 * Plans the removal of a connection. Added text that is unchanged is removed byte for byte. Otherwise, the entries
 * are removed and the user's own entry under our name is restored.
 * @param folder where `applyConfigChanges` stored the receipts
 * @throws {ConfigError} if a file cannot be read or changed; the error names the file
 */
export async function planDisconnection(
  files: readonly ConfigFile[],
  folder: string,
): Promise<readonly ConfigChange[]> {
  return changes('disconnect', files, async (file, before) => {
    if (before === undefined) return undefined;
    const left = file.disconnect(before);
    const receipt = await readReceipt(folder, file.path);
    if (receipt === undefined || isShared(receipt, file)) return left;
    const isBlank = /^\s*(?:\{\s*\}\s*)?$/u.test(left);
    // The user has since replaced the file with a link to another file.
    if (receipt.wasMissing && isBlank) return isLink(file.path) ? left : undefined;
    return takenOut(before, receipt, file) ?? restored(left, receipt, file);
  });
}

/** True if another agent is connected in the same file. */
function isShared(receipt: StoredReceipt | undefined, { agent }: ConfigFile): boolean {
  return receipt?.agents.some((other) => other !== agent) === true;
}

/** @returns undefined if the added text has changed, or occurs more than once */
function takenOut(text: string, receipt: Receipt, file: ConfigFile): string | undefined {
  const left = takeOut(text, receipt);
  // Other text, added since then, may need the comma that was added with the entry.
  try {
    // Entries of an earlier version may be left. `takeOut` has restored the user's own entry under our name.
    return left === undefined ? undefined : file.disconnect(left);
  } catch {
    return undefined;
  }
}

function restored(left: string, { foreign }: Receipt, file: ConfigFile): string {
  return foreign === undefined || file.foreign(left) !== undefined ? left : file.restore(left, foreign);
}

/**
 * True if a file holds a connection, or a part of it.
 * @throws {ConfigError} if it cannot be read; the error names the file
 */
export function holdsConnection(file: ConfigFile): boolean {
  const text = configText(file.path);
  try {
    return text !== undefined && file.isConnected(text.slice(markOf(text).length));
  } catch (error) {
    throw error instanceof ConfigError ? refusal(file.path, error.sentence, error) : error;
  }
}

/**
 * Makes changes that the user has reviewed, each file in one step. If a file has changed since, the change is applied
 * to its current text. Folders created by connecting are removed once they are empty.
 * @param folder folder for receipts of the added text. Only one process makes changes at a time
 * @throws {ConfigError} if a file can no longer be changed or written; then nothing is written
 */
export async function applyConfigChanges(planned: readonly ConfigChange[], folder: string): Promise<void> {
  for (const { file } of planned) checkReplaceable(file.path);
  await ensureStateFolder(folder);
  const release = await lockFile(join(folder, 'connections'), () => {}, true);
  if (release === undefined) throw new ConfigError(bridgeSentences.say('connectionsLocked'));
  const made: MadeChange[] = [];
  try {
    for (const change of planned) made.push(await makeChange(change, folder));
    const left = made.filter(({ kind }) => kind === 'disconnect');
    await removeEmptyFolders(left.flatMap(({ earlier }) => earlier?.folders ?? []));
  } catch (error) {
    // All changes are made or none, because a half-connected agent is neither connected nor disconnected.
    for (const one of made.toReversed()) await takeBack(one, folder).catch(() => {});
    throw error;
  } finally {
    // A lost lock cannot be released.
    await release().catch(() => {});
  }
}

/** A completed change, with the earlier state of the file. */
interface MadeChange extends ConfigChange {
  readonly earlier: StoredReceipt | undefined;
  /** Folders that were created for the file. */
  readonly folders: readonly string[];
}

async function makeChange(planned: ConfigChange, folder: string): Promise<MadeChange> {
  const { kind, file } = planned;
  const { path } = file;
  const earlier = await readReceipt(folder, path);
  const folders = kind === 'connect' ? await foldersFor(path) : [];
  try {
    let change = planned;
    for (let repeats = 0; ; repeats++) {
      // The change is computed again, because file and receipt may have changed before the lock was taken.
      const before = configText(path);
      const after = await planned.repeat(before);
      change = { ...planned, before, after };
      if (before === after) {
        // Another window has made the same change with a separate receipt.
        await putBack(folder, path, earlier);
        break;
      }
      // The receipt is stored first, because without it a changed file could not be restored.
      if (kind === 'connect') await keepReceipt(folder, receiptOf(change, folders, earlier));
      if (await replaceConfig(path, before, after)) break;
      if (repeats === mostRepeats) throw new ConfigError(bridgeSentences.say('configChanged', { path }));
    }
    if (kind === 'disconnect') {
      const isOver = !isShared(earlier, file);
      await (isOver ? removeReceipt(folder, path) : keepReceipt(folder, receiptOf(change, [], earlier)));
    }
    return { ...change, earlier, folders };
  } catch (error) {
    await putBack(folder, path, earlier);
    await removeEmptyFolders(folders);
    throw error;
  }
}

/** Undoes a change, even in a file that has changed since then, if the added text can be found. */
async function takeBack(made: MadeChange, folder: string): Promise<void> {
  const { file, before, after, earlier, folders } = made;
  const change = receiptFor(before, after ?? '', [], undefined);
  for (let repeats = 0; repeats <= mostRepeats; repeats++) {
    const now = configText(file.path);
    const undone = now === after ? before : takeOut(now ?? '', change);
    if (undone === undefined && now !== after) return;
    if (!(await replaceConfig(file.path, now, undone))) continue;
    await putBack(folder, file.path, earlier);
    return removeEmptyFolders(folders);
  }
}

/** Returns the receipt for a change. The receipt also undoes an earlier change that is still in the file. */
function receiptOf(
  { kind, file, before, after }: ConfigChange,
  folders: readonly string[],
  earlier: StoredReceipt | undefined,
) {
  const others = (earlier?.agents ?? []).filter((agent) => agent !== file.agent);
  const foreign = foreignIn(before, file) ?? earlier?.foreign;
  return {
    ...receiptFor(before, after ?? '', folders, earlier),
    path: file.path,
    agents: kind === 'connect' ? [...others, file.agent] : others,
    ...(foreign !== undefined && { foreign }),
  };
}

function foreignIn(text: string | undefined, file: ConfigFile): string | undefined {
  return text === undefined ? undefined : file.foreign(text.slice(markOf(text).length));
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
        throw refusal(path, error.sentence, error);
      }
    };
    const before = configText(path);
    const after = await repeat(before);
    if (after !== before) planned.push({ kind, file, before, after, repeat });
  }
  return planned;
}

/** Returns the byte order mark that some editors add. The parsers used here do not accept it. */
function markOf(text = ''): string {
  return text.startsWith('\uFEFF') ? '\uFEFF' : '';
}

/** @returns the folders that were created for a file */
async function foldersFor(path: string): Promise<readonly string[]> {
  try {
    return await makeFolders(dirname(resolvedPath(path)));
  } catch (error) {
    throw unwritable(path, error);
  }
}
