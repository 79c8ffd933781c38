import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import {
  chmod,
  copyFile,
  lchown,
  lstat,
  mkdir,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  utimes,
} from 'node:fs/promises';
import path from 'node:path';
import type { WorkspaceChange } from './workspace-changes.ts';

/**
 * Makes changes in the workspace, removals first. A change is not made where the workspace has meanwhile become
 * another: what somebody else wrote stays.
 *
 * @returns those that were not made
 * @throws {Error} of the file system, for example because the disk is full
 */
export async function applyChanges<Change extends WorkspaceChange>(
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const removals = changes.filter(({ kind }) => kind === 'removed');
  const others = changes.filter(({ kind }) => kind !== 'removed');
  const inOrder = [
    // What is in a folder goes before the folder.
    ...removals.toSorted((one, other) => other.path.length - one.path.length),
    ...others.toSorted((one, other) => one.path.length - other.path.length),
  ];
  const left: Change[] = [];
  for (const change of inOrder) if (!(await apply(change))) left.push(change);
  return left;
}

async function apply(change: WorkspaceChange): Promise<boolean> {
  const { kind, root, path: at, written, mode, before } = change;
  const place = path.join(root, at);
  if (kind === 'unusable' || !(await hasRealFolders(change))) return false;
  const found = await lstat(place).catch(() => undefined);
  if (kind === 'removed') return found === undefined || remove(place, found, before);
  if (kind === 'folder' && found?.isDirectory() === true) return true;
  // What is in the way was removed before, unless somebody else put it there.
  if (found !== undefined && (found.isDirectory() || !isSame(found, before))) return false;
  if (kind === 'folder') await mkdir(place, { mode: mode & 0o777 });
  else if (kind === 'touched') await takeTimes(place, written);
  else await replace(place, (temporary) => copy(kind, written, temporary, mode));
  return true;
}

/** True if all folders on the way to a change are folders of the workspace, or could be made. */
async function hasRealFolders({ root, path: at, kind }: WorkspaceChange): Promise<boolean> {
  let folder = root;
  for (const name of at.split('/').slice(0, -1)) {
    folder = path.join(folder, name);
    const found = await lstat(folder).catch(() => undefined);
    if (found === undefined && kind === 'removed') return true;
    if (found === undefined) await mkdir(folder);
    else if (!found.isDirectory()) return false;
  }
  return true;
}

async function remove(place: string, found: Stats, before: Stats | undefined): Promise<boolean> {
  if (!found.isDirectory()) {
    if (isSame(found, before)) await rm(place, { force: true });
    return isSame(found, before);
  }
  return rmdir(place).then(
    () => true,
    () => false,
  );
}

/** True if nobody has written to a file since. Unlike its other times, programs cannot set this one. */
function isSame(found: Stats, before: Stats | undefined): boolean {
  return found.ino === before?.ino && found.ctimeMs === before.ctimeMs;
}

/** Puts something at a place at once, so that nobody finds a part of it there. */
async function replace(place: string, make: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = path.join(path.dirname(place), `.context-budget-${randomUUID()}.tmp`);
  try {
    await make(temporary);
    await rename(temporary, place);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function copy(kind: 'file' | 'link', written: string, to: string, mode: number): Promise<void> {
  const { uid, gid } = await lstat(written);
  if (kind === 'link') await symlink(await readlink(written), to);
  else await copyFile(written, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  if (process.getuid?.() === 0) await lchown(to, uid, gid);
  if (kind === 'link') return;
  // Without the bits that let a program run as its owner.
  await chmod(to, mode & 0o777);
  await takeTimes(to, written);
}

async function takeTimes(place: string, written: string): Promise<void> {
  const { atime, mtime } = await lstat(written);
  await utimes(place, atime, mtime);
}
