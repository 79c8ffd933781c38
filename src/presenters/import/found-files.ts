import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import type { SessionPlace } from '../../transcripts/session-places.ts';
import { companionChangedAt } from './companion-files.ts';

/** A file in one of the places where agents keep sessions. Nothing of it was read. */
export interface FoundFile {
  readonly place: SessionPlace;
  readonly path: string;
  /** Folders below that of the place, and the name. */
  readonly names: readonly string[];
  /** Milliseconds since 1970, of it or of the file that its agent keeps beside it. */
  readonly changedAt: number;
  /** Bytes. */
  readonly size: number;
  /** The file before it was changed for the last time after a pause, if it was looked at then. */
  readonly idle?: Pick<FoundFile, 'size' | 'changedAt'> | undefined;
}

/** Files that are asked for at the same time. */
const atOnce = 32;
/** Files that are known at most, the newest: some of them are listed, and a folder may hold any number. */
const mostFiles = 10_000;

/**
 * The files with sessions, newest first. Links are not followed; what cannot be read is left out, and so are empty
 * files.
 *
 * @param levelsOf levels of a place that are looked at
 * @param most files; of more, the newest
 * @throws {CancelledError} if the signal was aborted
 */
export async function filesIn(
  places: readonly SessionPlace[],
  levelsOf: (place: SessionPlace) => readonly (readonly RegExp[])[],
  signal: AbortSignal,
  most = mostFiles,
): Promise<readonly FoundFile[]> {
  let found: readonly FoundFile[] = [];
  for (const place of places.filter(({ isDatabase }) => isDatabase !== true)) {
    for (const levels of levelsOf(place)) {
      const paths = await namesBelow(place.folder, levels, signal);
      for (let start = 0; start < paths.length; start += most) {
        const some = paths.slice(start, start + most);
        const described = await inGroups(some, signal, (names) => describeFile(place, names));
        found = [...found, ...described]
          .toSorted((one, other) => other.changedAt - one.changedAt)
          .slice(0, most);
      }
    }
  }
  return found;
}

/** The files without smaller copies of the same session. */
export function fullestOf(files: readonly FoundFile[]): readonly FoundFile[] {
  const fullest = new Map<string, FoundFile>();
  for (const file of files) {
    const known = fullest.get(sessionKey(file));
    if (known === undefined || file.size > known.size) fullest.set(sessionKey(file), file);
  }
  return files.filter((file) => fullest.get(sessionKey(file)) === file);
}

function sessionKey({ place, path }: FoundFile): string {
  const shared = place.sharedName?.exec(basename(path))?.[0];
  return shared === undefined ? path : join(dirname(path), shared);
}

/** Names on the way to each file, from the folder on. Links are neither folders nor files to the directory. */
export async function namesBelow(
  folder: string,
  [level, ...deeper]: readonly RegExp[],
  signal: AbortSignal,
): Promise<readonly (readonly string[])[]> {
  throwIfCancelled(signal);
  if (level === undefined) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const fitting = entries.filter(({ name }) => level.test(name));
  if (deeper.length === 0) return fitting.filter((entry) => entry.isFile()).map(({ name }) => [name]);
  const found: (readonly string[])[] = [];
  for (const entry of fitting.filter((one) => one.isDirectory())) {
    const below = await namesBelow(join(folder, entry.name), deeper, signal);
    for (const names of below) found.push([entry.name, ...names]);
  }
  return found;
}

/**
 * A file in a place, as it is now.
 *
 * @returns undefined if it is empty, or a link, or a folder
 * @throws what the file system throws
 */
export async function describeFile(
  place: SessionPlace,
  names: readonly string[],
): Promise<FoundFile | undefined> {
  const path = join(place.folder, ...names);
  const described = await lstat(path);
  if (!described.isFile() || described.size === 0) return undefined;
  const changedAt = Math.max(described.mtimeMs, (await companionChangedAt(path)) ?? 0);
  return { place, path, names, changedAt, size: described.size };
}

/**
 * Does the same to many files, some at a time, and leaves out those that fail.
 *
 * @throws {CancelledError} if the signal was aborted
 */
export async function inGroups<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item) => Promise<Result | undefined>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    throwIfCancelled(signal);
    const group = items.slice(start, start + atOnce).map((item) => work(item).catch(() => undefined));
    for (const result of await Promise.all(group)) if (result !== undefined) results.push(result);
  }
  return results;
}
