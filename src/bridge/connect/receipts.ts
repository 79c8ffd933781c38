import { mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { noteFile, readNote, writeNote } from '../hooks/note-files.ts';

/** A change that connecting made to a file, so that it can be undone: never more of the file than that. */
export interface Receipt {
  readonly wasMissing: boolean;
  /** Text that was added. */
  readonly added: string;
  /** The text in its place before. */
  readonly replaced: string;
  /** Folders that were made for the file, absolute, outermost first. */
  readonly folders: readonly string[];
}

/**
 * The receipt for a change of a file.
 *
 * @param before text of the file; undefined if it is not there
 * @param earlier receipt of a connection that the change may renew: what is undone later is both
 */
export function receiptFor(
  before: string | undefined,
  after: string,
  folders: readonly string[],
  earlier: Receipt | undefined,
): Receipt {
  // An earlier one counts as long as what it added still stands.
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

/** The text without what was added. @returns undefined if that does not stand as it was, or not once */
export function takeOut(text: string, { added, replaced }: Receipt): string | undefined {
  const start = text.indexOf(added);
  if (added === '' || start < 0 || text.includes(added, start + 1)) return undefined;
  return text.slice(0, start) + replaced + text.slice(start + added.length);
}

/** @param folder of the receipts @param path of the file that one is about */
export async function readReceipt(folder: string, path: string): Promise<Receipt | undefined> {
  const note = await readNote(noteFile(folder, path, 'receipt'));
  if (note === undefined) return undefined;
  // Earlier versions noted no folders.
  const { wasMissing, added, replaced, folders = [] } = note;
  const isWhole =
    typeof wasMissing === 'boolean' && typeof added === 'string' && typeof replaced === 'string';
  if (!isWhole || !Array.isArray(folders)) return undefined;
  const named = folders.filter((one): one is string => typeof one === 'string');
  return { wasMissing, added, replaced, folders: named };
}

/** Writes a receipt in place of an earlier one; takes it away if undefined. */
export async function keepReceipt(folder: string, path: string, receipt: Receipt | undefined): Promise<void> {
  const file = noteFile(folder, path, 'receipt');
  if (receipt === undefined) await rm(file, { recursive: true, force: true });
  else await writeNote(file, receipt);
}

/** Makes a folder and those around it. @returns the ones that were not there, absolute, outermost first */
export async function makeFolders(folder: string): Promise<readonly string[]> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return [];
  const deeper = relative(first, resolve(folder)).split(sep).filter(Boolean);
  return deeper.reduce((made, name) => [...made, made.at(-1)! + sep + name], [resolve(first)]);
}

/** Removes folders that are empty. @param folders outermost first */
export async function removeEmptyFolders(folders: readonly string[]): Promise<void> {
  const deepestFirst = [...folders].toSorted((one, other) => depthOf(other) - depthOf(one));
  // What has anything in it, or is gone, stays as it is.
  for (const folder of deepestFirst) await rmdir(folder).catch(() => {});
}

function depthOf(folder: string): number {
  let depth = 0;
  for (let one = folder; dirname(one) !== one; one = dirname(one)) depth++;
  return depth;
}
