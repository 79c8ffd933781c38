import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { flagsOfFile } from '../files/real-file.ts';
import { isInside } from '../files/workspace.ts';
import { protectedPlaces, type ProtectedPlaces } from './protected-places.ts';

/** The places commands in the sandbox may read and write, besides the folders of the system. All absolute. */
export interface SandboxPlaces extends ProtectedPlaces {
  /** The command's working directory. */
  readonly directory: string;
  /** May be written; outer folders first. */
  readonly writable: readonly string[];
  /** May be read; outer folders first. */
  readonly readable: readonly string[];
  /** Names of the home folder; it is empty in the sandbox. */
  readonly homes: readonly string[];
}

/**
 * Folders of a home folder that programs need: other programs, with the libraries and packages they load. Nothing that
 * keeps names, passwords or settings, so not `.cargo`, which has the token for crates.io, but parts of it.
 */
const toolchains = [
  ...[
    '.nvm',
    '.volta',
    '.fnm',
    '.asdf',
    '.pyenv',
    '.rbenv',
    '.nodenv',
    '.goenv',
    '.jenv',
    '.sdkman',
    '.ghcup',
  ],
  ...['.rustup', '.cargo/bin', '.cargo/env', '.cargo/git', '.cargo/registry', 'go/bin', 'go/pkg', '.bun/bin'],
  ...['.bun/install/global', '.deno/bin', '.npm-global', '.local/bin', '.local/lib', '.local/share/fnm'],
  ...['.local/share/mise', '.local/share/pipx', '.local/share/pnpm', '.local/share/uv', '.m2/repository'],
  ...[
    '.juliaup',
    '.opam',
    '.nix-profile',
    '.local/state/nix',
    'miniconda3',
    'anaconda3',
    'miniforge3',
    '.pixi',
  ],
];
/** Folders of programs, which load what lies next to them. */
const binaries = new Set(['bin', 'sbin', '.bin', 'shims']);

/**
 * Finds the places for a command.
 *
 * @returns undefined if a folder that is open has the home folder in it: hiding that would hide the other
 */
export function placesFor(
  roots: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string | undefined>>,
): SandboxPlaces | undefined {
  const homes = homesOf(environment);
  if (roots.some((root) => homes.some((home) => isInside(home, root)))) return undefined;
  const isOfUse = (place: string) =>
    existsSync(place) &&
    !homes.some((home) => isInside(home, place)) &&
    !roots.some((root) => isInside(place, root));
  const readable = [
    ...homes.flatMap((home) => toolchains.map((name) => path.join(home, name))),
    ...programFolders(environment['PATH'] ?? '', homes),
    ...roots.flatMap(repositoriesAround),
  ].filter(isOfUse);
  return {
    directory,
    homes,
    writable: outerFirst(roots),
    readable: outerFirst(readable).filter(
      (place, index, all) => !all.slice(0, index).some((outer) => isInside(place, outer)),
    ),
    ...protectedPlaces(roots),
  };
}

function homesOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = [environment['HOME'], homedir()].filter(
    (home): home is string => home !== undefined && path.isAbsolute(home) && path.resolve(home) !== '/',
  );
  return unique(named.flatMap((home) => [path.resolve(home), realPathOf(home)]));
}

/** The folders on the PATH; outside a home folder also those next to a folder of programs. */
function programFolders(variable: string, homes: readonly string[]): readonly string[] {
  return variable
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .flatMap((given) => {
      const folder = path.resolve(given);
      const parent = path.dirname(folder);
      const isAtHome = homes.some((home) => isInside(folder, home));
      const hasMore = isAtHome
        ? path.basename(parent) === 'node_modules'
        : binaries.has(path.basename(folder)) && path.dirname(parent) !== '/';
      return hasMore ? [folder, parent] : [folder];
    })
    .filter((folder) => folder !== '/');
}

/** The repository that contains a folder, and the main repository if it is a linked working tree. */
function repositoriesAround(root: string): readonly string[] {
  const own = path.join(root, '.git');
  const linked = commonFolderOf(own);
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (folder === path.dirname(folder)) return linked;
    if (existsSync(path.join(folder, '.git'))) return folder === root ? linked : [folder, ...linked];
  }
}

/** The folder that a `.git` file leads to, if that says so as well: anything in the workspace can write such a file. */
function commonFolderOf(file: string): readonly string[] {
  try {
    const given = /^gitdir: (.+)$/m.exec(textOfSmall(file))?.[1];
    if (given === undefined) return [];
    const folder = realpathSync(path.resolve(path.dirname(file), given));
    const back = textOfSmall(path.join(folder, 'gitdir')).trim();
    if (realpathSync(path.resolve(folder, back)) !== realpathSync(file)) return [];
    const common = textOfSmall(path.join(folder, 'commondir')).trim();
    return [realpathSync(path.resolve(folder, common))].filter((each) => readdirSync(each).includes('HEAD'));
  } catch {
    return [];
  }
}

/** Bytes of a file of git's that holds a path. */
const longestPath = 8_192;

/**
 * The text of a small file that anything in the workspace can have put there: a pipe is not waited for, and of a large
 * file only the beginning is read.

 */
function textOfSmall(file: string): string {
  const descriptor = openSync(file, flagsOfFile);
  try {
    if (!fstatSync(descriptor).isFile()) return '';
    const bytes = Buffer.alloc(longestPath);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, longestPath, 0)).toString();
  } finally {
    closeSync(descriptor);
  }
}

function realPathOf(given: string): string {
  try {
    return realpathSync(given);
  } catch {
    return path.resolve(given);
  }
}

function outerFirst(places: readonly string[]): readonly string[] {
  return unique(places).toSorted((one, other) => one.length - other.length);
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
