import { accessSync, constants, lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** A place in the system folders that commands in the sandbox must not see. */
export interface SystemSecret {
  readonly path: string;
  readonly isFolder: boolean;
}

/** Number of folders examined before the search lets other work run. */
const stretch = 50;

/**
 * Finds places in the system folders that this user can open but not everyone can: passwords, private keys, sockets
 * of services. The user may be root or in a group. All other entries are files and folders that everyone may read.
 * @param changing folders examined for each command
 * @param large folders examined once. All other system folders hold only installed packages
 * @returns a function that lists the secrets
 */
export async function findSystemSecrets(
  changing: readonly string[] = ['/etc'],
  large: readonly string[] = ['/opt', '/usr/local'],
): Promise<() => readonly SystemSecret[]> {
  const kept: SystemSecret[] = [];
  let folders = 0;
  for (const folder of large) {
    for (const found of look(folder)) {
      if (found !== undefined) kept.push(found);
      else if (++folders % stretch === 0) await setImmediate();
    }
  }
  const now = () => changing.flatMap((folder) => [...look(folder)]).filter((found) => found !== undefined);
  return () => [...now(), ...kept];
}

/** Lists the files in `/proc` that show root details of the kernel, and `keys`, which shows a user's keys. */
export function filesOfKernel(): readonly SystemSecret[] {
  return namesIn('/proc')
    .filter((name) => !/^\d+$/.test(name))
    .map((name) => ({ path: path.join('/proc', name), isFolder: false }))
    .filter(({ path: place }) => {
      const stats = statOf(place);
      if (stats === undefined || !stats.isFile()) return false;
      return (place === '/proc/keys' || !isForEveryone(stats)) && isOpen(place, false);
    });
}

/** Searches a folder and its subfolders. Yields undefined after each folder. */
function* look(folder: string): Generator<SystemSecret | undefined, void> {
  for (const name of namesIn(folder)) {
    const place = path.join(folder, name);
    const stats = statOf(place);
    if (stats === undefined || stats.isSymbolicLink()) continue;
    const isFolder = stats.isDirectory();
    if (!isForEveryone(stats)) {
      if (isOpen(place, isFolder)) yield { path: place, isFolder };
    } else if (isFolder) yield* look(place);
  }
  yield undefined;
}

function isForEveryone(stats: Stats): boolean {
  const { S_IROTH, S_IXOTH } = constants;
  if (stats.isDirectory()) return (stats.mode & (S_IROTH | S_IXOTH)) === (S_IROTH | S_IXOTH);
  return stats.isFile() && (stats.mode & S_IROTH) !== 0;
}

/** True if this user can read a file, or can list or enter a folder. */
function isOpen(place: string, isFolder: boolean): boolean {
  const { R_OK, X_OK } = constants;
  return (isFolder ? [R_OK, X_OK] : [R_OK]).some((mode) => {
    try {
      accessSync(place, mode);
      return true;
    } catch {
      return false;
    }
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function statOf(place: string): Stats | undefined {
  try {
    return lstatSync(place);
  } catch {
    return undefined;
  }
}
