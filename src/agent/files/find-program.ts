import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isInside } from './workspace.ts';

/**
 * Finds a program in the folders of a PATH. Skips the current folder, which systems also search, and workspace folders,
 * because either may hold a file of that name.
 * @param name without a Windows extension
 * @param searchPath the value of `PATH`
 * @param untrusted absolute folders whose programs are not started
 * @param endings of the file's name, best first
 * @returns its absolute path
 */
export function findProgram(
  name: string,
  searchPath: string,
  untrusted: readonly string[],
  endings: readonly string[] = process.platform === 'win32' ? ['.exe'] : [''],
): string | undefined {
  const closed = untrusted.flatMap((folder) => [folder, realOf(folder)]);
  return searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .filter((folder) => !closed.some((one) => isInside(folder, one) || isInside(realOf(folder), one)))
    .flatMap((folder) => endings.map((ending) => path.join(folder, name + ending)))
    .find(isProgram);
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
