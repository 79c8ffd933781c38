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
  unlink,
  utimes,
} from 'node:fs/promises';
import path from 'node:path';
import { statAt, type WorkspaceChange } from './workspace-changes.ts';

const atOnce = 32;

/** Makes changes, removals first. @returns the changes that another program prevented @throws file system errors */
export async function applyWorkspaceChanges<Change extends WorkspaceChange>(
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const removals = changes.filter(({ kind }) => kind === 'removed');
  const left: Change[] = [];
  const applyAll = async (some: readonly Change[]) => {
    const folders = new RealFolders();
    const queue = some.values();
    const work = async () => {
      for (const change of queue) if (!(await apply(change, folders))) left.push(change);
    };
    const ended = await Promise.allSettled(Array.from({ length: atOnce }, work));
    // The error is thrown only when all writes have ended.
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
  };
  await applyAll(removals.filter(({ before }) => before?.isDirectory() !== true));
  // The content of a folder is removed before the folder.
  const emptied = removals.filter(({ before }) => before?.isDirectory() === true);
  for (const change of emptied.toSorted((one, other) => other.path.length - one.path.length)) {
    await applyAll([change]);
  }
  await applyAll(changes.filter(({ kind }) => kind !== 'removed'));
  return left;
}

async function apply(change: WorkspaceChange, folders: RealFolders): Promise<boolean> {
  const { kind, root, path: at, written, mode, before } = change;
  const place = path.join(root, at);
  if (kind === 'unusable') return false;
  if (!(await folders.has(root, path.posix.dirname(at), kind === 'removed' ? 'seek' : 'make'))) {
    // The file is already gone, together with its folder.
    return kind === 'removed' && (await statAt(place)) === undefined;
  }
  const found = await statAt(place);
  if (kind === 'removed') return found === undefined || remove(place, found, before);
  if (kind === 'folder' && found?.isDirectory() === true) return true;
  // An earlier removal cleared this place, so another program wrote the present file.
  if (found !== undefined && (found.isDirectory() || !isSame(found, before))) return false;
  if (kind === 'folder') await mkdir(place, { mode: mode & 0o777 });
  else if (kind === 'touched') await takeTimes(place, await lstat(written));
  else await replace(place, (temporary) => copy(kind, written, temporary, mode));
  return true;
}

/** Checks that folders of the workspace are no links, because no path through a link is changed. */
class RealFolders {
  private readonly known = new Map<string, Promise<boolean>>();

  /** @param missing `make` creates a missing folder @returns false if the folder is missing or the path is not a folder */
  has(root: string, at: string, missing: 'make' | 'seek'): Promise<boolean> {
    if (at === '.') return statAt(root).then((found) => found?.isDirectory() === true);
    const place = path.join(root, at);
    const known = this.known.get(place) ?? this.look(root, at, missing);
    this.known.set(place, known);
    return known;
  }

  private async look(root: string, at: string, missing: 'make' | 'seek'): Promise<boolean> {
    if (!(await this.has(root, path.posix.dirname(at), missing))) return false;
    const place = path.join(root, at);
    const found = await statAt(place);
    if (found === undefined && missing === 'make') await mkdir(place);
    return found?.isDirectory() ?? missing === 'make';
  }
}

async function remove(place: string, found: Stats, before: Stats | undefined): Promise<boolean> {
  if (!found.isDirectory()) {
    if (isSame(found, before)) await unlink(place);
    return isSame(found, before);
  }
  return rmdir(place).then(
    () => true,
    () => false,
  );
}

/** True if a file was not written since `before`. Programs cannot set `ctime`, unlike the other times. */
function isSame(found: Stats, before: Stats | undefined): boolean {
  return found.ino === before?.ino && found.ctimeMs === before.ctimeMs;
}

/** Puts a file in place in one step, so that no program sees an incomplete file. */
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
  const found = await lstat(written);
  if (kind === 'link') await symlink(await readlink(written), to);
  else await copyFile(written, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  if (process.getuid?.() === 0) await lchown(to, found.uid, found.gid);
  if (kind === 'link') return;
  // Clears the bits that let a program run as its owner.
  await chmod(to, mode & 0o777);
  await takeTimes(to, found);
}

async function takeTimes(place: string, { atime, mtime }: Stats): Promise<void> {
  await utimes(place, atime, mtime);
}
