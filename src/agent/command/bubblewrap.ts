import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../files/workspace.ts';
import { Overlay } from './overlay.ts';
import type { SandboxProgram } from './sandbox.ts';
import { systemCallFilter } from './system-call-filter.ts';
import { filesOfKernel, findSystemSecrets, type SystemSecret } from './system-secrets.ts';

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
  ...['/var/lib/dpkg', '/var/lib/texmf', '/var/cache/fontconfig', '/run/current-system'],
  // Numbers of processors and limits of memory, which runtimes look at.
  ...['/sys/devices/system/cpu', '/sys/devices/system/node', '/sys/fs/cgroup', '/sys/kernel/mm'],
];
/** Never looked for on the PATH, where the workspace may have a program of this name. */
const files = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];

/** Bubblewrap, the sandbox of Linux; undefined if it is not installed. */
export async function bubblewrap(): Promise<SandboxProgram | undefined> {
  const file = files.find((each) => existsSync(each));
  if (file === undefined) return undefined;
  const filter = systemCallFilter();
  const secrets = await findSystemSecrets();
  return {
    file,
    isKeeper: true,
    filter,
    overlay: (roots, parent) => new Overlay(file, roots, parent),
    environment: () => ({
      ...{ TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp' },
      // The workspace is a file system of its own there, and its repository may begin above it.
      GIT_DISCOVERY_ACROSS_FILESYSTEM: '1',
    }),
    arguments: (places, temporary, hasNetwork, inner, overlay) => {
      const covered = [...secrets(), ...filesOfKernel()].filter(
        (secret) => !places.writable.some((root) => isInside(secret.path, root)),
      );
      // What is visible already is not mounted again: that would uncover what is below.
      const readable = places.readable.filter(
        (place) =>
          !linuxSystemFolders.some((folder) => isInside(place, folder)) ||
          covered.some((secret) => isInside(place, secret.path)),
      );
      return [
        ...['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
        '--unshare-cgroup-try',
        ...(filter === undefined ? [] : ['--seccomp', '4']),
        ...(hasNetwork ? [] : ['--unshare-net']),
        ...(isRoot() ? [] : asUser()),
        ...capabilities(),
        ...linuxSystemFolders.flatMap(systemFolder),
        ...(hasNetwork ? nameServers() : []),
        ...['--dev', '/dev', '--proc', '/proc', '--bind', temporary, '/tmp', '--symlink', '/tmp', '/var/tmp'],
        // The process that collects ended ones runs the program of the machine, which root could change there.
        ...['--tmpfs', '/proc/1', '--remount-ro', '/proc/1'],
        ...covered.flatMap(cover),
        ...places.homes.flatMap((home) => ['--tmpfs', home]),
        ...readable.flatMap((place) => ['--ro-bind', place, place]),
        ...(overlay?.mounted ?? []).flatMap(([merged, root]) => ['--bind', merged, root]),
        ...places.writable.flatMap((root, index) => cargoTarget(root, `${temporary}-target-${index}`)),
        ...places.mounts.flatMap((place) => ['--ro-bind', place, place]),
        // Root can write what the machine does: where it dumps processes, for example.
        ...(isRoot() ? ['--remount-ro', '/proc'] : []),
        ...covered.filter(({ isFolder }) => isFolder).flatMap(({ path: place }) => ['--remount-ro', place]),
        ...['--remount-ro', '/', '--chdir', places.directory, '--', ...inner],
      ];
    },
  };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The user again, who is root where the overlay is mounted. */
function asUser(): readonly string[] {
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return ['--unshare-user', '--uid', String(user), '--gid', String(group)];
}

/** Root keeps what lets it write files of others, since the workspace may be theirs, and nothing else. */
function capabilities(): readonly string[] {
  const kept = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER'];
  return ['--cap-drop', 'ALL', ...(isRoot() ? kept.flatMap((name) => ['--cap-add', name]) : [])];
}

/**
 * What Cargo builds is for later commands only: outside, language servers load macros from it and run programs in it.
 *
 * @param kept folder for it, outside of what commands can move
 */
function cargoTarget(root: string, kept: string): readonly string[] {
  const target = path.join(root, 'target');
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (!existsSync(path.join(root, 'Cargo.toml')) || found?.isDirectory() === false) return [];
  mkdirSync(kept, { recursive: true });
  return ['--bind', kept, target];
}

/** A folder as it is: on many systems `/bin` is a link. */
function systemFolder(folder: string): readonly string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder];
}

/** An empty folder, or for a file a device, which cannot be opened there. */
function cover({ path: place, isFolder }: SystemSecret): readonly string[] {
  return isFolder ? ['--tmpfs', place] : ['--ro-bind', '/dev/null', place];
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
