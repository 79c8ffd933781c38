import { randomBytes } from 'node:crypto';
import { lstat, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { privateFile } from './private-files.ts';

/** Codes of permanent read errors. Other errors are temporary, such as too many open files. */
const unreadable: ReadonlySet<string | undefined> = new Set(['EISDIR', 'EACCES', 'EPERM', 'ELOOP']);

/** Reads a file before it is replaced; undefined if missing. Moves an unreadable entry aside, so it blocks no write. */
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
 * Replaces a file in one step, so that a crash leaves either the old content or the new content.
 * @param options `flush`: false if the file can be made again; `mode`: of the new file
 * @throws errors of the file system, after which the file is unchanged
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

/** @returns undefined if the file is missing @throws any other error of the file system */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
