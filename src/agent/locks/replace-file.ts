import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/**
 * Replaces a file: whoever reads it sees what it held before or what it holds now, also after a crash.
 *
 * @throws what the file system throws; then the file is as it was
 */
export async function replaceFile(path: string, contents: string | Uint8Array): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    await writeFile(beside, contents, { mode: 0o600, flush: true });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** @returns undefined where there is no such file. @throws what else the file system throws */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
