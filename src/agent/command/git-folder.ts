import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { flagsOfFile } from '../files/real-file.ts';

/** Maximum bytes of a git file that holds a path. */
const longestPath = 8_192;

/** Finds git's folder with the index of a working tree. @param entry the tree's `.git`: folder or link file */
export function gitFolderOf(entry: string): string | undefined {
  const isFolder = lstatSync(entry, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? entry : linkedFolder(entry);
}

/** Finds the main repository of a linked working tree; undefined if its `.git` is not such a link. */
export function commonFolderOf(entry: string): string | undefined {
  const folder = linkedFolder(entry);
  if (folder === undefined) return undefined;
  try {
    const common = realpathSync(path.resolve(folder, textOfSmall(path.join(folder, 'commondir')).trim()));
    return readdirSync(common).includes('HEAD') ? common : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the folder that a `.git` file links to, if that folder links back. Any program can write a `.git` file. */
function linkedFolder(file: string): string | undefined {
  try {
    const given = /^gitdir: (.+)$/m.exec(textOfSmall(file))?.[1];
    if (given === undefined) return undefined;
    const folder = realpathSync(path.resolve(path.dirname(file), given));
    const back = textOfSmall(path.join(folder, 'gitdir')).trim();
    return realpathSync(path.resolve(folder, back)) === realpathSync(file) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the beginning of a small file. Never waits for a pipe, because any program may have made the file. */
function textOfSmall(file: string): string {
  const descriptor = openSync(file, flagsOfFile);
  try {
    if (!fstatSync(descriptor).isFile()) return '';
    const bytes = Buffer.alloc(longestPath);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, longestPath, 0)).toString();
  } finally {
    closeSync(descriptor);
  }
}
