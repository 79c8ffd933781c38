import { type FSWatcher, watch } from 'node:fs';
import { readFile, stat, statfs } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { setImmediate as pollEvents } from 'node:timers/promises';

/** File systems of Linux that report every change, by the numbers of statfs(2). Network drives report only our own. */
const reporting: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xca451a4e, // bcachefs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0x01021994, // tmpfs
  0x794c7630, // overlay, in containers
]);
/** Maximum number of watched folders, also as a part of the number that all programs of a user may watch. */
const mostFolders = 8_192;
const ourPart = 1 / 8;
const limitFile = '/proc/sys/fs/inotify/max_user_watches';
/** Maximum number of changed paths that are noted, and of events between two turns of the event loop. */
const mostChanges = 2_000;
const mostEvents = 8_000;

/**
 * The paths that change in some folders, from an examination of the folders to the next. It never tells less than an
 * examination of everything would find: whenever a change could be missed, everything has to be examined.
 *
 * Only on Linux is an event readable as soon as the change is done. Elsewhere it may follow later, when a question
 * about the change has already been answered.
 */
export class FolderChanges {
  private readonly watchers = new Map<string, FSWatcher>();
  private roots = new Map<string, string>();
  private changed = new Set<string>();
  /** False before the first examination, and until an examination is complete. */
  private isExamined = false;
  private isLost = false;
  private isPossible = process.platform === 'linux';
  private mostFolders = 0;
  private events = 0;

  /** Begins an examination of everything. @param roots all other folders are in these */
  async begin(roots: readonly string[]): Promise<void> {
    this.isExamined = false;
    this.stop();
    this.changed = new Set();
    this.isLost = !this.isPossible;
    this.roots = await statesOf(roots);
    const limit = Number(await readFile(limitFile, 'utf8').catch(() => '0'));
    this.mostFolders = Math.min(mostFolders, limit * ourPart);
    const systems = await Promise.all(roots.map((root) => statfs(root).catch(() => undefined)));
    this.isLost ||= systems.some((system) => system !== undefined && !reporting.has(system.type));
  }

  /** Notes the changes of a folder from now on. Called before the folder is read. */
  enter(folder: string): void {
    if (this.watchers.size >= this.mostFolders) this.giveUp();
    if (this.isLost || this.watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => this.note(folder, name));
      this.watchers.set(folder, watcher);
      watcher.on('error', () => this.lose());
    } catch (error) {
      // A folder that is added later changes the folder around it, or is a root.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.giveUp();
    }
  }

  /** Stops watching a folder and the folders in it, because its path may lead to another folder now. */
  leave(folder: string): void {
    for (const [path, watcher] of this.watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      this.watchers.delete(path);
    }
  }

  /** Ends an examination. */
  end(): void {
    this.isExamined = true;
  }

  /**
   * Begins an examination of what has changed. It includes every change that was done before the call.
   *
   * @returns undefined if everything has to be examined
   */
  async take(): Promise<ReadonlySet<string> | undefined> {
    const states = await statesOf([...this.roots.keys()]);
    // The events that were waiting are handled before this continues.
    await pollEvents();
    const isOther = [...states].some(([root, state]) => this.roots.get(root) !== state);
    if (!this.isExamined || this.isLost || isOther) return undefined;
    const { changed } = this;
    this.changed = new Set();
    this.isExamined = false;
    return changed;
  }

  private note(folder: string, name: string | null): void {
    // The system drops events if too many are waiting, and Node does not report that.
    if (this.events++ === 0) setImmediate(() => (this.events = 0));
    if (name === null || this.events > mostEvents || this.changed.size >= mostChanges) this.lose();
    else this.changed.add(join(folder, name));
    // A folder that is deleted reports its own name. Another folder with its path may have the same identity.
    if (name === basename(folder)) this.changed.add(folder);
  }

  private giveUp(): void {
    this.isPossible = false;
    this.lose();
  }

  private lose(): void {
    this.isLost = true;
    this.stop();
  }

  /** Stops watching. */
  stop(): void {
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }
}

/** Root → which folder it is now. */
async function statesOf(roots: readonly string[]): Promise<Map<string, string>> {
  const described = [...new Set(roots)].map(async (root): Promise<[string, string]> => {
    const state = await stat(root, { bigint: true }).catch(() => undefined);
    return [root, state === undefined ? '' : `${state.dev} ${state.ino}`];
  });
  return new Map(await Promise.all(described));
}
