import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Mode of a stored file: only its owner reads and writes it. Windows protects storage by other means. */
export const privateFile = 0o600;
/** Mode of a folder of stored files. */
export const privateFolder = 0o700;

/** Creates a folder and its missing parents for the owner only. An existing folder is not changed. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: privateFolder });
}

/**
 * Removes access to a folder and its contents for everyone but the owner, because earlier versions let others read it.
 * Links are skipped, and so are files that cannot be changed.
 *
 * @param path of the folder; nothing happens if it is missing
 */
export async function keepPrivate(path: string): Promise<void> {
  // The folder comes first: after that, no one else can reach its contents.
  await chmod(path, privateFolder).catch(() => {});
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) await keepPrivate(below);
    else if (entry.isFile()) await chmod(below, privateFile).catch(() => {});
  }
}
