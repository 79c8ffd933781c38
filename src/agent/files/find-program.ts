import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isInside } from './workspace.ts';

/** Finds a program on a PATH, but not in a relative or `untrusted` folder. @param endings of its name, best first */
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
