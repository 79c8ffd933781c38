import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
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
/** Names that are looked at in one place, files and folders: asking for so many takes about a second. */
export const mostNames = 100_000;
/** Names to which opening a folder amounts, in time. */
const namesPerFolder = 5;
/** Names of files that are handed on together. */
const namesAtOnce = 1_024;

/**
 * The files with sessions, newest first. Links are not followed; what cannot be read is left out, and so are empty
 * files.
 *
 * @param levelsOf levels of a place that are looked at
 * @param cut called with a place that has more names than are looked at
 * @param most files; of more, the newest
 * @throws {CancelledError} if the signal was aborted
 */
export async function filesIn(
  places: readonly SessionPlace[],
  levelsOf: (place: SessionPlace) => readonly (readonly RegExp[])[],
  signal: AbortSignal,
  cut: (place: SessionPlace) => void = () => {},
  most = mostFiles,
): Promise<readonly FoundFile[]> {
  let found: FoundFile[] = [];
  const keepNewest = () => {
    found = found.toSorted((one, other) => other.changedAt - one.changedAt).slice(0, most);
  };
  for (const place of places.filter(({ isDatabase }) => isDatabase !== true)) {
    const look: Look = { left: mostNames };
    for (const levels of levelsOf(place)) {
      for await (const some of namesBelow(place.folder, levels, signal, look)) {
        found.push(...(await inGroups(some, signal, (names) => describeFile(place, names))));
        if (found.length > 2 * most) keepNewest();
      }
    }
    if (look.left <= 0) cut(place);
  }
  keepNewest();
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

/** Names that are left of a look at a place. */
interface Look {
  left: number;
}

/**
 * Names on the way to each file, from the folder on, some at a time: all those of a large folder would take much memory.
 * Links are neither folders nor files to the directory. It ends where nothing is left of the look.
 *
 * @throws {CancelledError} if the signal was aborted
 */
export async function* namesBelow(
  folder: string,
  [level, ...deeper]: readonly RegExp[],
  signal: AbortSignal,
  look: Look = { left: mostNames },
): AsyncGenerator<readonly (readonly string[])[]> {
  if (level === undefined) return;
  look.left -= namesPerFolder;
  let names: (readonly string[])[] = [];
  for await (const entry of entriesOf(folder)) {
    throwIfCancelled(signal);
    if (look.left-- <= 0) break;
    const { name } = entry;
    if (!level.test(name)) continue;
    if (deeper.length > 0 && entry.isDirectory()) {
      for await (const below of namesBelow(join(folder, name), deeper, signal, look)) {
        yield below.map((way) => [name, ...way]);
      }
    } else if (deeper.length === 0 && entry.isFile()) names.push([name]);
    if (names.length < namesAtOnce) continue;
    yield names;
    names = [];
  }
  if (names.length > 0) yield names;
}

/** The paths of the databases in a place. @throws {CancelledError} if the signal was aborted */
export async function databasesIn({ folder, levels }: SessionPlace, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  for await (const some of namesBelow(folder, levels, signal)) {
    paths.push(...some.map((names) => join(folder, ...names)));
  }
  return paths;
}

/** The entries of a folder; none of one that cannot be read. */
async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder, { bufferSize: namesAtOnce });
  } catch {
    // What was found of it before stands.
  }
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
