import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Mode of a stored file: its owner alone reads and writes it. Windows keeps storage private by other means. */
export const privateFile = 0o600;
/** Mode of a folder of stored files. */
export const privateFolder = 0o700;

/** Makes a folder, and those above it that are missing, for its owner alone. One that exists stays as it is. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: privateFolder });
}

/**
 * Takes a folder and everything in it from everybody but its owner, because earlier versions let others read it. Links
 * are left alone; so is what cannot be changed.
 *
 * @param path of the folder; nothing happens if it is missing
 */
export async function keepPrivate(path: string): Promise<void> {
  // The folder first: from then on nobody else gets at what is in it.
  await chmod(path, privateFolder).catch(() => {});
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) await keepPrivate(below);
    else if (entry.isFile()) await chmod(below, privateFile).catch(() => {});
  }
}
