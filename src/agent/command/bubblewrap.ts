import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../files/workspace.ts';
import { Overlay } from './overlay.ts';
import type { SandboxProgram } from './sandbox.ts';
import { systemCallFilter } from './system-call-filter.ts';
import { filesOfKernel, findSystemSecrets, type SystemSecret } from './system-secrets.ts';

/** System folders that commands may read. `/run` is left out because it holds the sockets of services. */
const linuxSystemFolders = [
  ...`/bin /sbin /lib /lib32 /lib64 /libx32 /usr /etc /opt /nix /gnu /snap /var/lib/dpkg
    /var/lib/texmf /var/cache/fontconfig /run/current-system`.split(/\s+/),
  // The number of processors and the memory limits, which language runtimes read.
  ...'/sys/devices/system/cpu /sys/devices/system/node /sys/fs/cgroup /sys/kernel/mm'.split(' '),
];
/** Fixed paths, because the workspace may put a program of this name on the PATH. */
const files = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];

/** Finds Bubblewrap, the sandbox program of Linux; undefined if it is not installed. */
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
      // In the sandbox the workspace is a mounted file system, and its repository may begin above it.
      GIT_DISCOVERY_ACROSS_FILESYSTEM: '1',
    }),
    arguments: (places, temporary, hasNetwork, inner, overlay) => {
      const covered = [...secrets(), ...filesOfKernel()].filter(
        (secret) => !places.writable.some((root) => isInside(secret.path, root)),
      );
      // Visible places are not mounted again, because that would uncover the places hidden below them.
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
        // The first process runs a program of the machine, which root could change through `/proc/1`.
        ...['--tmpfs', '/proc/1', '--remount-ro', '/proc/1'],
        ...covered.flatMap(cover),
        ...places.homes.flatMap((home) => ['--tmpfs', home]),
        ...readable.flatMap((place) => ['--ro-bind', place, place]),
        ...(overlay?.mounted ?? []).flatMap(([merged, root]) => ['--bind', merged, root]),
        ...places.writable.flatMap((root, index) => cargoTarget(root, `${temporary}-target-${index}`)),
        ...places.mounts.flatMap((place) => ['--ro-bind', place, place]),
        // Root could change settings of the machine there, such as the place for core dumps.
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

/** Returns arguments that restore the user's own id, because the overlay is mounted with the id of root. */
function asUser(): readonly string[] {
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return ['--unshare-user', '--uid', String(user), '--gid', String(group)];
}

/** Drops all capabilities. Root keeps those for writing files of other users, who may own the workspace. */
function capabilities(): readonly string[] {
  const kept = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER'];
  return ['--cap-drop', 'ALL', ...(isRoot() ? kept.flatMap((name) => ['--cap-add', name]) : [])];
}

/** Shows Cargo's output to later commands only. Language servers would run its programs outside the sandbox. */
function cargoTarget(root: string, kept: string): readonly string[] {
  const target = path.join(root, 'target');
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (!existsSync(path.join(root, 'Cargo.toml')) || found?.isDirectory() === false) return [];
  mkdirSync(kept, { recursive: true });
  return ['--bind', kept, target];
}

/** Mounts a folder, or copies it if it is a link, as `/bin` is on many systems. */
function systemFolder(folder: string): readonly string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder];
}

/** Hides a folder behind an empty folder, and a file behind a device that cannot be opened. */
function cover({ path: place, isFolder }: SystemSecret): readonly string[] {
  return isFolder ? ['--tmpfs', place] : ['--ro-bind', '/dev/null', place];
}

/** Makes the list of name servers readable, because its file is often a link to a hidden place. */
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
