import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { SandboxProgram } from './sandbox.ts';

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
export function bubblewrap(): SandboxProgram | undefined {
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
