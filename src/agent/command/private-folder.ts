import { lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Milliseconds after which the folder of an ended process is removed. */
const oldAge = 24 * 60 * 60 * 1000;

/** Folder of one window for the temporary files and changes of its sandboxed commands. */
export class PrivateFolder {
  private readonly parent: string;
  private made: string | undefined;

  /** @param parent created for its owner only, if missing */
  constructor(parent: string) {
    this.parent = parent;
  }

  /** Folder that commands use for temporary files. Absolute, without symbolic links. */
  get temporary(): string {
    return path.join(this.path, 'temporary');
  }

  /** Folder for changes to the workspace. Absolute, without symbolic links. */
  get changed(): string {
    return path.join(this.path, 'changed');
  }

  dispose(): void {
    if (this.made !== undefined) removeAll(this.made);
    this.made = undefined;
  }

  private get path(): string {
    this.made ??= this.make();
    return this.made;
  }

  /** Creates the folder, and removes the folders that killed windows of this user left behind. */
  private make(): string {
    mkdirSync(this.parent, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(this.parent)) {
      if (isAbandoned(this.parent, name)) removeAll(path.join(this.parent, name));
    }
    const made = realpathSync(mkdtempSync(path.join(this.parent, `context-budget-${process.pid}-`)));
    for (const name of ['temporary', 'changed']) mkdirSync(path.join(made, name));
    return made;
  }
}

function isAbandoned(parent: string, name: string): boolean {
  const [, owner] = /^context-budget-(\d+)-/.exec(name) ?? [];
  if (owner === undefined) return false;
  try {
    // In a container the process id may belong to another process, so the folder must also be old.
    const { mtimeMs, uid } = lstatSync(path.join(parent, name));
    if (uid !== process.getuid?.() || Date.now() - mtimeMs < oldAge) return false;
    process.kill(Number(owner), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function removeAll(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A command made a folder unreadable. The next window tries again to remove it.
  }
}
