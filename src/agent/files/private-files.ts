import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Mode of a stored file, which only its owner can read and write. Windows protects the storage by other means. */
export const privateFile = 0o600;
/** Mode of a folder of stored files. */
export const privateFolder = 0o700;

/** Creates a folder and its missing parents for the owner only. Leaves an existing folder unchanged. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: privateFolder });
}

/** Closes a folder and its content to everyone but its owner, without following links. Skips a closed folder. */
export async function keepPrivate(path: string): Promise<void> {
  const described = await lstat(path).catch(() => undefined);
  if (described?.isDirectory() !== true || (described.mode & 0o077) === 0) return;
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) await keepPrivate(below);
    else if (entry.isFile()) await chmod(below, privateFile).catch(() => {});
  }
  // Last, because this mode marks that the whole folder is closed.
  await chmod(path, privateFolder).catch(() => {});
}
