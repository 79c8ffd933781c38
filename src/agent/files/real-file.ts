import { constants } from 'node:fs';
import { lstat, open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';

/** What is at a path, where it is no file to read: `special` for pipes, sockets and devices. */
export type Unusable = 'directory' | 'not-a-directory' | 'special' | 'moved';

/** There is something at a path, but not the file or directory that was meant. */
export class UnusablePathError extends Error {
  override readonly name = 'UnusablePathError';
  readonly reason: Unusable;

  constructor(reason: Unusable, path: string) {
    super(`${path}: ${reason}`);
    this.reason = reason;
  }
}

/** A regular file that is open for reading, and lies where its path says. */
export interface RealFile {
  readonly handle: FileHandle;
  /** Bytes it had when it was opened. */
  readonly size: number;
}

/** Windows has only the first of them. Without `O_NONBLOCK` a pipe would be waited for. */
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY, O_DIRECTORY }: Partial<typeof constants> = constants;
const flagsOfFile = flags(O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY);
export const flagsOfDirectory = flags(O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_DIRECTORY);

/**
 * Opens a file once and lets it be read. A folder on the way to it that becomes a symbolic link meanwhile changes
 * nothing: either what was opened is the file at exactly this path, or it is not read.
 *
 * @param path absolute, all symbolic links resolved
 * @throws {UnusablePathError} for what is no regular file, or lies elsewhere
 * @throws {Error} of the file system
 */
export async function withRealFile<R>(path: string, use: (file: RealFile) => Promise<R>): Promise<R> {
  // Opening a device can do something. This may be outdated a moment later; what is opened is looked at again.
  const named = await lstat(path);
  if (named.isSymbolicLink()) {
    // One that leads nowhere or in a circle says so here. Any other was not there when the path was resolved.
    await stat(path);
    throw new UnusablePathError('moved', path);
  }
  if (named.isDirectory()) throw new UnusablePathError('directory', path);
  if (!named.isFile()) throw new UnusablePathError('special', path);
  const handle = await opened(path, flagsOfFile);
  try {
    const status = await handle.stat();
    if (status.isDirectory()) throw new UnusablePathError('directory', path);
    if (!status.isFile()) throw new UnusablePathError('special', path);
    if (!(await isAt(handle, path))) throw new UnusablePathError('moved', path);
    return await use({ handle, size: status.size });
  } finally {
    await handle.close();
  }
}

/** Opens what is at a path and is no symbolic link. @throws {UnusablePathError} `moved` where it is one */
export async function opened(path: string, mode: number): Promise<FileHandle> {
  try {
    return await open(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    throw new UnusablePathError('moved', path);
  }
}

/** True if what is open is what lies at a path that has no symbolic links in it. */
export async function isAt(handle: FileHandle, path: string): Promise<boolean> {
  const link = await readlink(linkTo(handle)).catch(() => undefined);
  if (link !== undefined) return link === path;
  // Elsewhere the system does not say where an open file is: the path still has to lead to it, and have no links.
  const before = await realpath(path);
  const [open, named] = [await handle.stat({ bigint: true }), await lstat(path, { bigint: true })];
  const isSame = open.dev === named.dev && open.ino === named.ino;
  return isSame && before === path && (await realpath(path)) === path;
}

/** Where Linux has a link to an open file or directory; there is nothing at this path on other systems. */
export function linkTo({ fd }: FileHandle): string {
  return `/proc/${process.pid}/fd/${fd}`;
}

function flags(...wanted: readonly (number | undefined)[]): number {
  return wanted.reduce<number>((all, flag = 0) => all | flag, 0);
}
