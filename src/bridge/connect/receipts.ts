import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../../agent/files/workspace.ts';
import { noteFile, readNote, writeNote } from '../hooks/note-files.ts';

/** A change to a file, made when an agent was connected. Only the parts needed to undo it are stored. */
export interface Receipt {
  readonly wasMissing: boolean;
  /** Text that was added. */
  readonly added: string;
  /** Text that `added` replaced. */
  readonly replaced: string;
  /** Folders that were created for the file, absolute, outermost first. */
  readonly folders: readonly string[];
  /** The user's own entry under our name, from `ConfigFile.foreign`. */
  readonly foreign?: string;
}

/** A stored receipt. Earlier versions stored neither the agents nor the file. */
export interface StoredReceipt extends Receipt {
  /** Agents connected in the file. */
  readonly agents: readonly string[];
  /** Absolute path of the file. */
  readonly path?: string;
}

/**
 * Returns the receipt for a change to a file.
 * @param before text of the file; undefined if it was missing
 * @param earlier receipt of a connection that the change may renew. The new receipt then undoes both changes
 */
export function receiptFor(
  before: string | undefined,
  after: string,
  folders: readonly string[],
  earlier: Receipt | undefined,
): Receipt {
  // An earlier receipt is valid while the file still contains its added text.
  const renewed = before === undefined || earlier === undefined ? undefined : takeOut(before, earlier);
  const old = renewed ?? before ?? '';
  const most = Math.min(old.length, after.length);
  let start = 0;
  while (start < most && old[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === after[after.length - 1 - end]) end++;
  return {
    wasMissing: before === undefined || (renewed !== undefined && earlier?.wasMissing === true),
    added: after.slice(start, after.length - end),
    replaced: old.slice(start, old.length - end),
    folders: [...new Set([...(earlier?.folders ?? []), ...folders])],
  };
}

/** Undoes the change in a text. @returns undefined if the added text has changed or occurs more than once */
export function takeOut(text: string, { added, replaced }: Receipt): string | undefined {
  const start = text.indexOf(added);
  if (added === '' || start < 0 || text.includes(added, start + 1)) return undefined;
  return text.slice(0, start) + replaced + text.slice(start + added.length);
}

/** Reads the receipt for a file. @param folder folder of the receipts @param path path of the configuration */
export async function readReceipt(folder: string, path: string): Promise<StoredReceipt | undefined> {
  const receipt = await receiptIn(noteFile(folder, path, 'receipt'));
  // Folders elsewhere cannot have been created for the file.
  return receipt && { ...receipt, folders: receipt.folders.filter((one) => isInside(path, one)) };
}

/** Returns all readable receipts. */
export async function allReceipts(folder: string): Promise<readonly StoredReceipt[]> {
  const names = await readdir(folder).catch(() => []);
  const receipts = names
    .filter((name) => name.endsWith('.receipt.json'))
    .map((name) => receiptIn(join(folder, name)));
  return (await Promise.all(receipts)).filter((receipt) => receipt !== undefined);
}

async function receiptIn(file: string): Promise<StoredReceipt | undefined> {
  const note = await readNote(file);
  if (note === undefined) return undefined;
  // Earlier versions stored no folders.
  const { wasMissing, added, replaced, folders = [], agents = [], foreign, path } = note;
  const isWhole =
    typeof wasMissing === 'boolean' && typeof added === 'string' && typeof replaced === 'string';
  if (!isWhole) return undefined;
  return {
    wasMissing,
    added,
    replaced,
    folders: stringsOf(folders),
    agents: stringsOf(agents),
    ...(typeof foreign === 'string' && { foreign }),
    ...(typeof path === 'string' && { path }),
  };
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** Writes a receipt in place of an earlier receipt. */
export async function keepReceipt(
  folder: string,
  receipt: StoredReceipt & { readonly path: string },
): Promise<void> {
  await writeNote(noteFile(folder, receipt.path, 'receipt'), receipt);
}

/** Removes the receipt for a file. */
export async function removeReceipt(folder: string, path: string): Promise<void> {
  await rm(noteFile(folder, path, 'receipt'), { recursive: true, force: true });
}

/** Restores the earlier receipt. Without an earlier receipt, removes the present one. */
export async function putBack(
  folder: string,
  path: string,
  earlier: StoredReceipt | undefined,
): Promise<void> {
  await (earlier === undefined ? removeReceipt(folder, path) : keepReceipt(folder, { ...earlier, path }));
}

/** Creates a folder and its parents. @returns the folders that were missing, absolute, outermost first */
export async function makeFolders(folder: string): Promise<readonly string[]> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return [];
  const deeper = relative(first, resolve(folder)).split(sep).filter(Boolean);
  return deeper.reduce((made, name) => [...made, made.at(-1)! + sep + name], [resolve(first)]);
}

/** Removes empty folders. @param folders outermost first */
export async function removeEmptyFolders(folders: readonly string[]): Promise<void> {
  const deepestFirst = [...folders].toSorted((one, other) => depthOf(other) - depthOf(one));
  // Missing folders, and folders with content, are skipped.
  for (const folder of deepestFirst) await rmdir(folder).catch(() => {});
}

function depthOf(folder: string): number {
  let depth = 0;
  for (let one = folder; dirname(one) !== one; one = dirname(one)) depth++;
  return depth;
}
