import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

/**
 * Finds a program in the directories of `PATH`. Never in the current one, where systems look too: a repository may
 * have a file of that name.
 *
 * @param searchPath the value of `PATH`
 * @returns its absolute path
 */
export async function findProgram(name: string, searchPath: string): Promise<string | undefined> {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  for (const directory of searchPath.split(path.delimiter)) {
    if (!path.isAbsolute(directory)) continue;
    const candidate = path.join(directory, file);
    try {
      await access(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Not in this one.
    }
  }
  return undefined;
}
