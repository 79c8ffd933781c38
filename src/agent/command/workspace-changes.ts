import type { Stats } from 'node:fs';
import { chmod, lstat, open, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { agentSentences } from '../../language/english/agent-english.ts';
import { SentenceError } from '../../language/sentence.ts';

/**
 * The effect of a command on an entry of the workspace. `touched` means that only its time changed. An entry
 * is `unusable` if it is neither file, folder nor link, if its name is unsafe for other programs, if it is mostly
 * holes, or if another program has changed it since the command began.
 */
export type ChangeKind = 'file' | 'link' | 'folder' | 'touched' | 'removed' | 'unusable';

/** A change of the workspace as the command sees it. */
export interface WorkspaceChange {
  readonly kind: ChangeKind;
  /** Absolute path of the workspace folder. */
  readonly root: string;
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  /** Absolute path of the new entry, outside the workspace. */
  readonly written: string;
  /** Permissions of the new entry. */
  readonly mode: number;
  /** The present entry in the workspace; undefined if it does not exist. */
  readonly before: Stats | undefined;
}

/** A folder of the workspace, and the folder that holds a command's changes to it. */
export interface ChangesOfRoot {
  readonly root: string;
  /** The folder of the changes: the upper layer of an overlay. */
  readonly written: string;
  /** Start of the command in milliseconds, by the clock of the file system. */
  readonly since: number;
  /** Lists the entries of folders as the command left them. @returns paths relative to the root */
  readonly namesIn: (folders: readonly string[]) => Promise<readonly string[]>;
}

interface Walk {
  seen: number;
  readonly changes: WorkspaceChange[];
  /** Folders that the workspace and the changes have in common. Some of their entries may be removed. */
  readonly common: string[];
}

/** Maximum number of changes of one command. An installation of packages makes fewer changes. */
const mostChanges = 500_000;

/** Minimum bytes of a file that is unusable if it is mostly holes. A copy has no holes and could fill the disk. */
const largestHollow = 100_000_000;

/** A name without control characters, unassigned characters or invalid UTF-8. */
const readableName = /^[^\p{Cc}\p{Cn}\p{Cs}\u{FFFD}]+$/u;

/** Lists the changes of an ended command. @throws {SentenceError} if there are too many @throws file system errors */
export async function changesIn(given: ChangesOfRoot): Promise<readonly WorkspaceChange[]> {
  const walk: Walk = { seen: 0, changes: [], common: [] };
  await visit('', given, walk);
  if (walk.changes.length === 0 && walk.common.length === 1) {
    const { length } = await readdir(given.written);
    if (length === 0) return [];
  }
  // Listed first, so that a file created after this line does not count as removed by the command.
  const inWorkspace = (await Promise.all(walk.common.map((folder) => namesOf(given.root, folder)))).flat();
  const left = new Set(await given.namesIn(walk.common));
  for (const gone of inWorkspace.filter((each) => !left.has(each))) {
    for (const each of await removedAt(gone, given)) walk.changes.push(each);
  }
  return walk.changes;
}

async function visit(folder: string, given: ChangesOfRoot, walk: Walk): Promise<void> {
  const written = path.join(given.written, folder);
  const { mode } = await lstat(written);
  if ((mode & 0o700) !== 0o700) await chmod(written, mode | 0o700);
  const before = await statAt(path.join(given.root, folder));
  const isCommon = before?.isDirectory() === true;
  if (isCommon) walk.common.push(folder);
  const entries = await readdir(written);
  walk.seen += entries.length;
  if (walk.seen > mostChanges) {
    throw new SentenceError(agentSentences.say('commandChangedTooMuch', { most: mostChanges }));
  }
  if (entries.length === 0 && !isCommon) {
    walk.changes.push({ kind: 'folder', root: given.root, path: folder, written, mode, before });
  }
  await Promise.all(entries.map((name) => look(path.posix.join(folder, name), name, given, walk)));
}

async function look(at: string, name: string, given: ChangesOfRoot, walk: Walk): Promise<void> {
  const { root } = given;
  const written = path.join(given.written, at);
  const [found, before] = await Promise.all([statAt(written), statAt(path.join(root, at))]);
  const change = (intended: ChangeKind) => {
    const kind = isOvertaken(before, given) ? 'unusable' : intended;
    walk.changes.push({ kind, root, path: at, written, mode: found?.mode ?? 0, before });
  };
  // An entry is undefined if, for example, it is nested so deeply that its path is too long.
  if (found === undefined || !readableName.test(name) || isHollow(found)) change('unusable');
  else if (found.isDirectory()) {
    if (before !== undefined && !before.isDirectory()) change('removed');
    await visit(at, given, walk);
  } else if (found.isSymbolicLink()) {
    const isSame =
      before?.isSymbolicLink() === true &&
      (await readlink(path.join(root, at))) === (await readlink(written));
    if (!isSame) change('link');
  } else if (found.isFile()) {
    if ((found.mode & 0o400) === 0) await chmod(written, found.mode | 0o400);
    const isSame =
      before?.isFile() === true && (await isSameFile(written, found, path.join(root, at), before));
    if (!isSame) change('file');
    else if (found.mtimeMs !== before.mtimeMs && !isOvertaken(before, given)) change('touched');
  } else if (!isWhiteout(found)) change('unusable');
  const isReplaced = found !== undefined && !found.isDirectory() && !isWhiteout(found);
  if (!isReplaced || before?.isDirectory() !== true) return;
  for (const each of await removedAt(at, given)) walk.changes.push(each);
}

function isHollow({ size, blocks }: Stats): boolean {
  return size > largestHollow && blocks * 512 < size / 2;
}

/** True if another program has changed a file of the workspace while the command ran. */
function isOvertaken(before: Stats | undefined, { since }: ChangesOfRoot): boolean {
  return before?.isDirectory() === false && before.ctimeMs > since;
}

/** True for the special file that marks a removal in an overlay. */
function isWhiteout(found: Stats): boolean {
  return found.isCharacterDevice() && found.rdev === 0;
}

/** @returns false for different files, and if the workspace's file is unreadable */
async function isSameFile(one: string, found: Stats, other: string, before: Stats): Promise<boolean> {
  if (found.size !== before.size || found.mode !== before.mode) return false;
  await using first = await open(one);
  await using second = await open(other).catch(() => undefined);
  if (second === undefined) return false;
  const [left, right] = [Buffer.alloc(65_536), Buffer.alloc(65_536)];
  for (;;) {
    const [{ bytesRead }, { bytesRead: others }] = await Promise.all([first.read(left), second.read(right)]);
    if (bytesRead !== others || !left.subarray(0, bytesRead).equals(right.subarray(0, bytesRead)))
      return false;
    if (bytesRead === 0) return true;
  }
}

/** Returns the removal of a file, or the removals of everything in a folder, with the folder last. */
async function removedAt(at: string, given: ChangesOfRoot): Promise<readonly WorkspaceChange[]> {
  const before = await statAt(path.join(given.root, at));
  if (before === undefined) return [];
  const written = path.join(given.written, at);
  const kind = isOvertaken(before, given) ? 'unusable' : 'removed';
  const own: WorkspaceChange = { kind, root: given.root, path: at, written, mode: 0, before };
  if (!before.isDirectory()) return [own];
  const names = await namesOf(given.root, at);
  const below = await Promise.all(names.map((name) => removedAt(name, given)));
  return [...below.flat(), own];
}

/** @returns paths relative to the root; empty if the folder is unreadable */
async function namesOf(root: string, folder: string): Promise<readonly string[]> {
  const names = await readdir(path.join(root, folder)).catch(() => []);
  return names.map((name) => path.posix.join(folder, name));
}

/** The state of a path itself, not of what a link points to; undefined if nothing is there. */
export async function statAt(place: string): Promise<Stats | undefined> {
  return lstat(place).catch(() => undefined);
}
