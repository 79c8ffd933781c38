import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../compaction/records/reason.ts';
import { guardPlaces, holdPlaces } from './protected-places.ts';
import { placesFor, type SandboxPlaces } from './sandbox-places.ts';
import { PrivateFolder, type Sandbox, type SandboxProgram, shellFor } from './sandbox.ts';
import { agentSentences } from '../../language/agent-english.ts';
import { SentenceError } from '../../language/sentence.ts';

/** Milliseconds a sandbox may take to show that it works. */
const patience = 10_000;

/**
 * Runs the command in another shell, which lives longer, and says when it begins and whether it has left something
 * running: the keeper and this shell are the two processes that are always there.
 */
const kept = `trap : TERM INT HUP; echo s >&3; exec 4>&2 2>/dev/null; "$@" 2>&4 3>&- 4>&-; status=$?
set -- /proc/[0-9]*; [ $# -gt 2 ] && echo b >&3; exit $status`;
/** Without a keeper of the processes, the command replaces the shell. */
const notKept = 'echo s >&3; exec "$@" 3>&-';

/**
 * Finds out by trying whether this machine has a sandbox.
 *
 * @returns why not, in a sentence for the log, if it has none that works
 */
export async function findSandbox(): Promise<Sandbox | string> {
  const program = programOfPlatform();
  if (typeof program === 'string') return program;
  const temporary = new PrivateFolder();
  try {
    const nowhere = { ...emptyPlaces, homes: placesFor([], '/', process.env)?.homes ?? [] };
    const inner = ['/bin/sh', '-c', 'exit 0'];
    const all = program.arguments(nowhere, temporary.path, false, inner);
    await promisify(execFile)(program.file, all, { timeout: patience, env: {} });
  } catch (error) {
    temporary.dispose();
    const { stderr } = error as { readonly stderr?: string };
    return `${program.file} does not work here: ${(stderr ?? '').trim() || messageOf(error)}`;
  }
  return sandboxOf(program, temporary);
}

const emptyPlaces: SandboxPlaces = {
  directory: '/',
  homes: [],
  writable: [],
  readable: [],
  pinned: [],
  readOnly: [],
  absent: [],
  guarded: [],
};

function programOfPlatform(): SandboxProgram | string {
  switch (process.platform) {
    case 'linux':
      return bubblewrap() ?? 'bwrap is not installed (package bubblewrap).';
    case 'darwin':
      return seatbelt() ?? 'sandbox-exec is not there.';
    default:
      return `There is none for ${process.platform}.`;
  }
}

function sandboxOf(program: SandboxProgram, temporary: PrivateFolder): Sandbox {
  return {
    canHold: (roots, environment) => placesFor(roots, '/', environment) !== undefined,
    enclose({ command, directory, roots, environment, hasNetwork }) {
      const places = placesFor(roots, directory, environment);
      if (places === undefined) throw new SentenceError(agentSentences.say('sandboxHoldsHome'));
      const letGo = holdPlaces(places.absent);
      const stopGuarding = guardPlaces(places.guarded);
      const shell = shellFor(command);
      const outer = [shell.file, '-c', program.isKeeper ? kept : notKept, 'sandbox'];
      const inner = [...outer, shell.file, ...shell.arguments];
      return {
        shell: {
          file: program.file,
          arguments: program.arguments(places, temporary.path, hasNetwork, inner),
        },
        environment: program.environment(temporary.path),
        isKeeper: program.isKeeper,
        [Symbol.dispose]() {
          stopGuarding();
          letGo();
        },
      };
    },
    dispose: () => temporary.dispose(),
  };
}

/** Folders of the system that commands may read. `/run`, with the sockets of services, is none of them. */
const linuxSystemFolders = [
  ...[
    '/bin',
    '/sbin',
    '/lib',
    '/lib32',
    '/lib64',
    '/libx32',
    '/usr',
    '/etc',
    '/opt',
    '/nix',
    '/gnu',
    '/snap',
  ],
  ...['/sys', '/var/lib/dpkg', '/var/lib/texmf', '/var/cache/fontconfig', '/run/current-system'],
];
/** Never looked for on the PATH, where the workspace may have a program of this name. */
const files = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];

/** Bubblewrap, the sandbox of Linux; undefined if it is not installed. */
function bubblewrap(): SandboxProgram | undefined {
  const file = files.find((each) => existsSync(each));
  if (file === undefined) return undefined;
  return {
    file,
    isKeeper: true,
    environment: () => ({ TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp' }),
    arguments: (places, temporary, hasNetwork, inner) => [
      ...['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
      '--unshare-cgroup-try',
      ...(hasNetwork ? [] : ['--unshare-net']),
      ...capabilities(),
      ...linuxSystemFolders.flatMap(systemFolder),
      ...(hasNetwork ? nameServers() : []),
      ...['--dev', '/dev', '--proc', '/proc', '--bind', temporary, '/tmp', '--symlink', '/tmp', '/var/tmp'],
      ...places.homes.flatMap((home) => ['--tmpfs', home]),
      ...places.readable.flatMap((place) => ['--ro-bind', place, place]),
      ...places.writable.flatMap((place) => ['--bind', place, place]),
      ...places.pinned.flatMap((place) => ['--bind', place, place]),
      ...places.readOnly.flatMap((place) => ['--ro-bind', place, place]),
      ...places.absent.filter((place) => existsSync(place)).flatMap((place) => ['--ro-bind', place, place]),
      // Root can write what the machine does: where it dumps processes, for example.
      ...(isRoot() ? ['--remount-ro', '/proc'] : []),
      ...['--remount-ro', '/', '--chdir', places.directory, '--', ...inner],
    ],
  };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Root keeps what lets it write files of others, since the workspace may be theirs, and nothing else. */
function capabilities(): readonly string[] {
  const kept = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER'];
  return ['--cap-drop', 'ALL', ...(isRoot() ? kept.flatMap((name) => ['--cap-add', name]) : [])];
}

/** A folder as it is: on many systems `/bin` is a link. */
function systemFolder(folder: string): readonly string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder];
}

/** The file with the name servers is often a link to where commands cannot look. */
function nameServers(): readonly string[] {
  try {
    const file = realpathSync('/etc/resolv.conf');
    return linuxSystemFolders.some((folder) => file.startsWith(folder + path.sep))
      ? []
      : ['--ro-bind', file, file];
  } catch {
    return [];
  }
}

const file = '/usr/bin/sandbox-exec';

/** Services every program needs, and none by which it could reach others. */
const base = `(version 1)
(deny default)
(allow process-exec process-fork)
(allow process-info* signal (target same-sandbox))
(allow sysctl-read mach-host* ipc-posix-sem pseudo-tty file-read-metadata)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
(allow file-read* file-write* file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/ptmx") (regex #"^/dev/ttys[0-9]+$"))
(allow file-read* (literal "/") (literal "/dev/random") (literal "/dev/urandom") (subpath "/dev/fd"))`;

/** Services that look up names and check certificates. */
const network = `(allow network* system-socket)
(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.SystemConfiguration.DNSConfiguration") (global-name "com.apple.SecurityServer") (global-name "com.apple.trustd.agent") (global-name "com.apple.networkd"))`;

const macSystemFolders = [
  ...[
    '/bin',
    '/sbin',
    '/usr',
    '/etc',
    '/private/etc',
    '/opt',
    '/nix',
    '/System',
    '/Library',
    '/Applications',
  ],
  ...['/private/var/db/timezone', '/private/var/select', '/private/var/db/xcode_select_link'],
];
/** Files that redirect Git, anywhere in the workspace; rules also hold for files that do not exist yet. */
const gitFiles = String.raw`/\.git/(hooks|config|config\.worktree|commondir|modules|worktrees)(/|$)`;

/** Seatbelt, the sandbox of macOS; undefined if it is not there. */
function seatbelt(): SandboxProgram | undefined {
  if (!existsSync(file)) return undefined;
  return {
    file,
    isKeeper: false,
    environment: (temporary) => ({ TMPDIR: temporary, TMP: temporary, TEMP: temporary }),
    arguments: (places, temporary, hasNetwork, inner) => [
      '-p',
      seatbeltProfile(places, temporary, hasNetwork),
      ...inner,
    ],
  };
}

/** The rules for a command; of those that fit, the last one counts. */
function seatbeltProfile(places: SandboxPlaces, temporary: string, hasNetwork: boolean): string {
  const open = [...places.writable, temporary];
  const closed = [...places.readOnly, ...places.absent, ...places.guarded.map((place) => place.path)];
  return [
    base,
    rule('allow file-read*', macSystemFolders),
    rule('deny file-read-data file-write*', places.homes),
    rule('allow file-read*', places.readable),
    rule('allow file-read* file-write*', open),
    rule('deny file-write*', closed),
    ...places.pinned.map((place) => `(deny file-write* (literal ${quoted(place)}))`),
    `(deny file-write* (require-all (require-any ${subpaths(open)}) (regex #"${gitFiles}")))`,
    hasNetwork ? network : '',
  ].join('\n');
}

function rule(action: string, places: readonly string[]): string {
  return places.length === 0 ? '' : `(${action} ${subpaths(places)})`;
}

function subpaths(places: readonly string[]): string {
  return places.map((place) => `(subpath ${quoted(place)})`).join(' ');
}

/** A string of the language of profiles, in which nothing ends it before its end. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
