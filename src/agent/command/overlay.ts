import { execFile, spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ChangesOfRoot, changesIn, type WorkspaceChange } from './workspace-changes.ts';

/** Fixed paths, because the workspace may put a program of this name on the PATH. */
const mountFiles = ['/usr/bin/mount', '/bin/mount', '/run/current-system/sw/bin/mount'];

/** Shell script that mounts an overlay in each folder before `--` and then becomes the program after it. */
const mountThenRun = `mount=$1; options=$2; shift 2
while [ "$1" != -- ]; do cd "$1" && "$mount" -t overlay -o "$options" overlay merged || exit 125; shift; done
shift; exec "$@"`;
/** Mount options with relative paths, because a workspace path could contain their separators. */
const writable = 'lowerdir=lower,upperdir=upper,workdir=work,userxattr';
const readable = 'ro,lowerdir=upper:lower,userxattr';
/** Shell script that lists the entries of the folders on standard input, each ended by NUL. */
const listFolders = `cd "$1" && exec xargs -0 -r -n 200 sh -c 'find "$@" -mindepth 1 -maxdepth 1 -print0' sh`;

const patience = 10_000;
/** Maximum bytes of names read, enough for a million files in deep folders. */
const mostNames = 1_000_000_000;

/** The workspace as one command sees it. Overlays (Linux 5.11 and later) hold its changes until they are checked. */
export class Overlay implements Disposable {
  private readonly bubblewrap: string;
  private readonly folder: string;
  private readonly places: ReadonlyMap<string, string>;
  private readonly since: number;

  /** @param roots folders of the workspace, none inside another @param parent folder that can hold the changes */
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

  get mounted(): readonly (readonly [merged: string, root: string])[] {
    return [...this.places].map(([place, root]) => [path.join(place, 'merged'), root]);
  }

  /** Returns the arguments that make bubblewrap start a program that sees the workspace at `mounted`. */
  around(inner: readonly string[]): readonly string[] {
    return this.mounting(writable, inner);
  }

  /** Tests whether the file systems of workspace and parent support an overlay. @throws an error if they do not */
  async try(): Promise<void> {
    await this.run(this.around(['/bin/sh', '-c', 'exit 0']));
  }

  /** Lists the changes of the command. All its processes must have ended. */
  async changes(): Promise<readonly WorkspaceChange[]> {
    let changes: readonly WorkspaceChange[] = [];
    for (const [place, root] of this.places) {
      changes = [...changes, ...(await changesIn(this.rootAt(place, root)))];
    }
    return changes;
  }

  /** Removes the changes in the background, because there may be many of them. */
  [Symbol.dispose](): void {
    // Commands and the overlay make folders that even their owner cannot open.
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
      /** Node cannot read the mark of a replaced folder, so the entries of folders are listed through the overlay. */
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
      // The kernel lets root in a namespace mount file systems. The real root needs no namespace.
      ...(isRoot ? [] : ['--unshare-user', '--uid', '0', '--gid', '0']),
      // `CAP_SETFCAP` lets the inner sandbox map back to the user's own id.
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
