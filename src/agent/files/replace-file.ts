import { randomBytes } from 'node:crypto';
import { lstat, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { privateFile } from './private-files.ts';

/** Errors for what stays unreadable; others, such as too many open files, pass. */
const unreadable: ReadonlySet<string | undefined> = new Set(['EISDIR', 'EACCES', 'EPERM', 'ELOOP']);

/**
 * Reads a file that is going to be written. What is in its place and can never be read is set aside: otherwise nothing
 * could ever be kept there again.
 *
 * @returns undefined if there is no such file
 * @throws any other error of the file system
 */
export async function readOrSetAside(path: string): Promise<string | undefined> {
  try {
    return await readIfThere(path);
  } catch (error) {
    if (!unreadable.has((error as NodeJS.ErrnoException).code)) throw error;
    await setAside(path);
    return undefined;
  }
}

async function setAside(path: string): Promise<void> {
  await rename(path, `${path}.${randomBytes(6).toString('hex')}.aside`);
}

/**
 * Replaces a file: readers see what it held before or what it holds now, also after a crash. A folder in its place is
 * set aside.
 *
 * @param options `flush`: false for what can be made again after a power loss; `mode`: of the new file
 * @throws what the file system throws; then the file is as it was
 */
export async function replaceFile(
  path: string,
  contents: string | Uint8Array,
  { flush = true, mode = privateFile } = {},
): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    await writeFile(beside, contents, { mode, flush });
    await rename(beside, path).catch(async (error: unknown) => {
      const inPlace = await lstat(path).catch(() => undefined);
      if (inPlace?.isDirectory() !== true) throw error;
      await setAside(path);
      await rename(beside, path);
    });
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** @returns undefined if there is no such file. @throws any other error of the file system */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
