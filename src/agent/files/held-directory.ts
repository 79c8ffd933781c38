import path from 'node:path';
import { lstat, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { flagsOfDirectory, isAt, linkTo, opened, UnusablePathError } from './real-file.ts';

/**
 * A directory that stays the same one while it is used, whatever becomes of its name. On Linux what is in it is
 * reached through the open directory itself; elsewhere by its path, which is looked at again before and after.
 */
export class HeldDirectory {
  /** Absolute, all symbolic links resolved. */
  readonly path: string;
  private readonly handle: FileHandle;
  /** Leads to the directory itself where the system has such a path. */
  private readonly base: string;

  private constructor(directory: string, handle: FileHandle, base: string) {
    this.path = directory;
    this.handle = handle;
    this.base = base;
  }

  /**
   * @param directory absolute, all symbolic links resolved
   * @throws {UnusablePathError} for what is no directory, or lies elsewhere
   * @throws {Error} of the file system
   */
  static async open(directory: string): Promise<HeldDirectory> {
    const handle = await openedDirectory(directory);
    try {
      if (!(await handle.stat()).isDirectory()) throw new UnusablePathError('not-a-directory', directory);
      if (!(await isAt(handle, directory))) throw new UnusablePathError('moved', directory);
      const isLinked = await stat(linkTo(handle)).then(
        () => true,
        () => false,
      );
      return new HeldDirectory(directory, handle, isLinked ? linkTo(handle) : directory);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The path under which a program of this computer enters it. */
  get entrance(): string {
    return this.base;
  }

  /** The path of something in it. */
  at(name: string): string {
    return path.join(this.base, name);
  }

  /** @throws {UnusablePathError} `moved` where it is not at its path any more */
  async check(): Promise<void> {
    if (!(await isAt(this.handle, this.path))) throw new UnusablePathError('moved', this.path);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** Holds a directory while something is done. @throws what `HeldDirectory.open` throws */
export async function withDirectory<R>(
  directory: string,
  use: (held: HeldDirectory) => Promise<R>,
): Promise<R> {
  const held = await HeldDirectory.open(directory);
  try {
    return await use(held);
  } finally {
    await held.close();
  }
}

async function openedDirectory(directory: string): Promise<FileHandle> {
  try {
    return await opened(directory, flagsOfDirectory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error;
    const isLink = (await lstat(directory)).isSymbolicLink();
    // Of a link that leads nowhere the file system's own words are right.
    if (isLink) await stat(directory);
    throw new UnusablePathError(isLink ? 'moved' : 'not-a-directory', directory);
  }
}
