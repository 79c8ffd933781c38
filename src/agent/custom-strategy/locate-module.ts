import { stat } from 'node:fs/promises';
import { CompactionFailure } from '../../compaction/failure.ts';
import { Workspace } from '../files/workspace.ts';

/**
 * Finds a module in one of the folders, the first that has it.
 *
 * @param folders absolute paths of the folders that people trust
 * @param name what messages call the strategy
 * @returns its absolute path, all symbolic links resolved
 * @throws {CompactionFailure} `custom-missing` where no folder has it, or where it lies outside of all
 */
export async function locateModule(
  folders: readonly string[],
  modulePath: string,
  name: string,
): Promise<string> {
  if (folders.length === 0) {
    throw missing(`${name}: a module can only be loaded from a folder that is open and trusted.`);
  }
  let isOutside = false;
  for (const folder of folders) {
    const resolution = await new Workspace([folder]).resolve(modulePath);
    if ('refusal' in resolution) isOutside = true;
    else if (await isFile(resolution.place.path)) return resolution.place.path;
  }
  throw isOutside
    ? missing(`${name}: the file is outside the workspace and is not loaded.`)
    : missing(`${name}: there is no such file.`);
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function missing(message: string): CompactionFailure {
  return new CompactionFailure('custom-missing', message);
}
