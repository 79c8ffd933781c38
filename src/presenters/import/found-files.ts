import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import type { SessionPlace } from '../../transcripts/found-agents.ts';
import { companionChangedAt } from './companion-files.ts';

/** A file in one of the folders where agents keep sessions. Its content has not been read. */
export interface FoundFile {
  readonly place: SessionPlace;
  readonly path: string;
  /** Folders between the place and the file, and the file name. */
  readonly names: readonly string[];
  /** Modification time in milliseconds since 1970, of the file or of its companion. */
  readonly changedAt: number;
  /** Size in bytes. */
  readonly size: number;
  /** State of the file before the session became live again, if the file was examined then. */
  readonly idle?: Pick<FoundFile, 'size' | 'changedAt'> | undefined;
  /** The newest recording of the same session. */
  readonly recording?: FoundFile | undefined;
}

/** Maximum number of files examined at the same time. */
const atOnce = 32;
/** Maximum number of known files, newest first. A folder may hold any number of files, and lists show only some. */
const mostFiles = 10_000;
/** Maximum number of file and folder names read in one place, which takes about a second. */
export const mostNames = 100_000;
/** Cost of opening a folder, counted in names. */
const namesPerFolder = 5;

/** An examination of folders, and those who follow it. */
export interface Examination {
  readonly signal: AbortSignal;
  /** Called before a folder is read, so that a watcher misses nothing. */
  readonly enter?: ((folder: string) => void) | undefined;
  /** Called with a place that has more names than the limit. */
  readonly cut?: ((place: SessionPlace) => void) | undefined;
}

/**
 * Finds the files with sessions, newest first. Skips links and empty files.
 *
 * @param levelsOf folder levels to search in a place
 */
export async function filesIn(
  places: readonly SessionPlace[],
  levelsOf: (place: SessionPlace) => readonly (readonly RegExp[])[],
  examination: Examination,
  most = mostFiles,
): Promise<readonly FoundFile[]> {
  let found: FoundFile[] = [];
  const keepNewest = () => {
    found = found.toSorted((one, other) => other.changedAt - one.changedAt).slice(0, most);
  };
  for (const place of places.filter(({ isDatabase }) => isDatabase !== true)) {
    const look: Look = { ...examination, left: mostNames };
    for (const levels of levelsOf(place)) {
      found.push(...(await describedBelow(place, [], levels, look)));
      if (found.length > 2 * most) keepNewest();
    }
    if (look.left <= 0) examination.cut?.(place);
  }
  keepNewest();
  return found;
}

/** Finds the files in one folder of a place. @param above names of the folder below the place */
export function filesBelow(
  place: SessionPlace,
  above: readonly string[],
  levels: readonly RegExp[],
  examination: Examination,
): Promise<readonly FoundFile[]> {
  return describedBelow(place, above, levels, { ...examination, left: mostNames });
}

async function describedBelow(
  place: SessionPlace,
  above: readonly string[],
  levels: readonly RegExp[],
  look: Look,
): Promise<readonly FoundFile[]> {
  const below = await namesBelow(join(place.folder, ...above), levels.slice(above.length), look);
  return inGroups(below, look.signal, (names) => describeFile(place, [...above, ...names]));
}

/** Removes smaller copies of the same session from a list of files. */
export function fullestOf(files: readonly FoundFile[]): readonly FoundFile[] {
  const fullest = new Map<string, FoundFile>();
  const smaller = new Set<FoundFile>();
  for (const file of files) {
    const shared = file.place.sharedName?.exec(basename(file.path))?.[0];
    if (shared === undefined) continue;
    const session = join(dirname(file.path), shared);
    const known = fullest.get(session);
    const isFuller = known === undefined || file.size > known.size;
    if (isFuller) fullest.set(session, file);
    if (known !== undefined) smaller.add(isFuller ? known : file);
  }
  return smaller.size === 0 ? files : files.filter((file) => !smaller.has(file));
}

/** An examination of one place. */
interface Look extends Examination {
  /** Number of names that may still be read. */
  left: number;
}

/** Returns the names of the path to each file, up to the limit on names. Skips links. */
async function namesBelow(
  folder: string,
  [level, ...deeper]: readonly RegExp[],
  look: Look,
): Promise<readonly (readonly string[])[]> {
  if (level === undefined) return [];
  look.left -= namesPerFolder;
  look.enter?.(folder);
  const found: (readonly string[])[] = [];
  // A folder that cannot be read has no files.
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    throwIfCancelled(look.signal);
    if (look.left-- <= 0) break;
    const { name } = entry;
    if (!level.test(name)) continue;
    if (deeper.length > 0 && entry.isDirectory()) {
      const below = await namesBelow(join(folder, name), deeper, look);
      for (const way of below) found.push([name, ...way]);
    } else if (deeper.length === 0 && entry.isFile()) found.push([name]);
  }
  return found;
}

/** The paths of the databases in a place. @throws {CancelledError} if the signal was aborted */
export async function databasesIn({ folder, levels }: SessionPlace, signal: AbortSignal): Promise<string[]> {
  const found = await namesBelow(folder, levels, { signal, left: mostNames });
  return found.map((names) => join(folder, ...names));
}

/**
 * Returns the state of a file in a place.
 *
 * @returns undefined if the file is empty, a link or a folder
 * @throws errors of the file system
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
 * Applies work to groups of items, and leaves out items whose work fails.
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
