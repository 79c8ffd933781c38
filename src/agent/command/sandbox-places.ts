import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isInside } from '../files/workspace.ts';
import { commonFolderOf } from './git-folder.ts';

/** The absolute paths of places that sandboxed commands may read or write, in addition to the system folders. */
export interface SandboxPlaces {
  readonly directory: string;
  /** Writable folders of the workspace. None is inside another. */
  readonly writable: readonly string[];
  /** File systems mounted in the writable folders. They are read-only. */
  readonly mounts: readonly string[];
  /** Readable places; outer folders first. */
  readonly readable: readonly string[];
  /** Paths of the home folder, which appears empty in the sandbox. */
  readonly homes: readonly string[];
}

/** Folders below the home folder that programs need. None contains names, passwords or settings. */
const toolchains =
  `.nvm .volta .fnm .asdf .pyenv .rbenv .nodenv .goenv .jenv .sdkman .ghcup .rustup .cargo/bin
    .cargo/env .cargo/git .cargo/registry go/bin go/pkg .bun/bin .bun/install/global .deno/bin
    .npm-global .local/bin .local/lib .local/share/fnm .local/share/mise .local/share/pipx
    .local/share/pnpm .local/share/uv .m2/repository .juliaup .opam .nix-profile
    .local/state/nix miniconda3 anaconda3 miniforge3 .pixi`.split(/\s+/);
/** Names of folders with programs that load files from the parent folder. */
const binaries = new Set(['bin', 'sbin', '.bin', 'shims']);

/** Finds the places for a command. Undefined if an open folder contains the home folder, which has to be hidden. */
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
    writable: outermost(roots),
    mounts: mountPoints().filter((place) => roots.some((root) => place !== root && isInside(place, root))),
    readable: outermost(readable),
  };
}

function mountPoints(): readonly string[] {
  if (process.platform !== 'linux') return [];
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n');
  // The mount point is the fifth field, with octal codes for some characters (`man 5 proc_pid_mountinfo`).
  return lines.map((line) =>
    (line.split(' ')[4] ?? '').replace(/\\([0-7]{3})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 8)),
    ),
  );
}

function homesOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = [environment['HOME'], homedir()].filter(
    (home): home is string => home !== undefined && path.isAbsolute(home) && path.resolve(home) !== '/',
  );
  return unique(named.flatMap((home) => [path.resolve(home), realPathOf(home)]));
}

/** Returns the folders on the PATH. Outside the home folder, adds the parent of a folder such as `bin`. */
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

/** Finds the repository around a folder, and the main repository if the folder is a linked working tree. */
function repositoriesAround(root: string): readonly string[] {
  const own = path.join(root, '.git');
  const linked = [commonFolderOf(own)].filter((folder) => folder !== undefined);
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (folder === path.dirname(folder)) return linked;
    if (existsSync(path.join(folder, '.git'))) return folder === root ? linked : [folder, ...linked];
  }
}

function realPathOf(given: string): string {
  try {
    return realpathSync(given);
  } catch {
    return path.resolve(given);
  }
}

function outermost(places: readonly string[]): readonly string[] {
  const all = unique(places);
  return all.filter((place) => !all.some((outer) => outer !== place && isInside(place, outer)));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
