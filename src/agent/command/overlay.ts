import { execFile, spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ChangesOfRoot, changesIn, type WorkspaceChange } from './workspace-changes.ts';

/** Never looked for on the PATH, where the workspace may have a program of this name. */
const mountFiles = ['/usr/bin/mount', '/bin/mount', '/run/current-system/sw/bin/mount'];

/** Mounts an overlay in each of the folders up to `--`, then becomes the program after it. */
const mountThenRun = `mount=$1; options=$2; shift 2
while [ "$1" != -- ]; do cd "$1" && "$mount" -t overlay -o "$options" overlay merged || exit 125; shift; done
shift; exec "$@"`;
/** Paths are relative to the folder of a root: one of a workspace could contain what separates options. */
const writable = 'lowerdir=lower,upperdir=upper,workdir=work,userxattr';
const readable = 'ro,lowerdir=upper:lower,userxattr';
/** Names of the entries of the folders that are read from standard input, each ended by NUL. */
const listFolders = `cd "$1" && exec xargs -0 -r -n 200 sh -c 'find "$@" -mindepth 1 -maxdepth 1 -print0' sh`;

/** Milliseconds that mounting may take. */
const patience = 10_000;
/** Bytes of names that are read: those of a million files in deep folders. */
const mostNames = 1_000_000_000;

/**
 * The workspace as one command sees it. What the command writes goes to a folder beside it; the workspace itself stays
 * as it is until the changes were looked at. Ordinary users can mount overlays in a user namespace since Linux 5.11
 * (https://docs.kernel.org/filesystems/overlayfs.html, `userxattr`).
 */
export class Overlay implements Disposable {
  private readonly bubblewrap: string;
  private readonly folder: string;
  /** Roots by the folders that have their overlays. */
  private readonly places: ReadonlyMap<string, string>;
  private readonly since: number;

  /**
   * @param bubblewrap its file
   * @param roots folders of the workspace, none inside another
   * @param parent an existing folder on a file system that can hold the changes
   */
  constructor(bubblewrap: string, roots: readonly string[], parent: string) {
    this.bubblewrap = bubblewrap;
    this.folder = mkdtempSync(path.join(parent, 'changes-'));
    this.places = new Map(
      roots.map((root, index) => {
        const place = path.join(this.folder, String(index));
        mkdirSync(place);
        for (const name of ['lower', 'upper', 'work', 'merged']) mkdirSync(path.join(place, name));
        return [place, root];
      }),
    );
    this.since = lstatSync(this.folder).ctimeMs;
  }

  /** The mounted folders, each with the folder of the workspace that it shows. */
  get mounted(): readonly (readonly [merged: string, root: string])[] {
    return [...this.places].map(([place, root]) => [path.join(place, 'merged'), root]);
  }

  /** Arguments of bubblewrap with which it starts a program that finds the workspace at `mounted`. */
  around(inner: readonly string[]): readonly string[] {
    return this.mounting(writable, inner);
  }

  /**
   * Tries whether the file systems of the workspace and of the parent folder allow it.
   *
   * @throws if they do not, or bubblewrap does not work
   */
  async try(): Promise<void> {
    await this.run(this.around(['/bin/sh', '-c', 'exit 0']));
  }

  /** Lists the changes of the command. Nothing of it may be running any more. */
  async changes(): Promise<readonly WorkspaceChange[]> {
    let changes: readonly WorkspaceChange[] = [];
    for (const [place, root] of this.places) {
      changes = [...changes, ...(await changesIn(this.rootAt(place, root)))];
    }
    return changes;
  }

  /** Removes the changes, in the background: there may be many. */
  [Symbol.dispose](): void {
    // A command, and the overlay itself, close folders even to their owner.
    const remove = `find "$1" -type d ! -perm -700 -exec chmod u+rwx {} ';' 2>/dev/null; exec rm -rf "$1"`;
    const all = ['-c', remove, 'sh', this.folder];
    spawn('/bin/sh', all, { cwd: '/', detached: true, stdio: 'ignore' })
      .on('error', () => {})
      .unref();
  }

  private rootAt(place: string, root: string): ChangesOfRoot {
    return {
      root,
      written: path.join(place, 'upper'),
      since: this.since,
      /** Node cannot read the mark of a folder that replaces another, so the overlay is asked for what is in it. */
      namesIn: async (folders) => {
        const listing = ['/bin/sh', '-c', listFolders, 'sh', path.join(place, 'merged')];
        const names = await this.run(
          this.mounting(readable, listing),
          folders.map((each) => `./${each}\0`).join(''),
        );
        return names
          .split('\0')
          .filter((name) => name !== '')
          .map((name) => path.posix.normalize(name));
      },
    };
  }

  private mounting(options: string, inner: readonly string[]): readonly string[] {
    const isRoot = process.getuid?.() === 0;
    return [
      // The kernel lets the root of a namespace mount. Root itself needs no namespace.
      ...(isRoot ? [] : ['--unshare-user', '--uid', '0', '--gid', '0']),
      // `CAP_SETFCAP` allows the sandbox inside to give the user its own number again.
      ...['CAP_SYS_ADMIN', 'CAP_DAC_OVERRIDE', 'CAP_SETFCAP'].flatMap((name) => ['--cap-add', name]),
      ...['--die-with-parent', '--dev-bind', '/', '/'],
      ...[...this.places].flatMap(([place, root]) => ['--bind', root, path.join(place, 'lower')]),
      ...['--', '/bin/sh', '-c', mountThenRun, 'sh', mountFile(), options],
      ...[...this.places.keys(), '--', ...inner],
    ];
  }

  private async run(all: readonly string[], input = ''): Promise<string> {
    const running = promisify(execFile)(this.bubblewrap, all, {
      env: { PATH: '/usr/bin:/bin:/run/current-system/sw/bin' },
      maxBuffer: mostNames,
      ...(input === '' ? { timeout: patience } : {}),
    });
    running.child.stdin?.on('error', () => {}).end(input);
    return (await running).stdout;
  }
}

function mountFile(): string {
  return mountFiles.find((each) => existsSync(each)) ?? 'mount';
}
