import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
  watch,
} from 'node:fs';
import path from 'node:path';
import { isInside } from '../files/workspace.ts';

/** Paths in a workspace whose content can make programs run outside the sandbox. */
export interface ProtectedPlaces {
  /** Can be written in, but neither moved nor replaced. */
  readonly pinned: readonly string[];
  /** Cannot be changed. */
  readonly readOnly: readonly string[];
  /** Folders that are not there, and must not come to be. */
  readonly absent: readonly string[];
  /** Places nothing can be mounted over, restored as soon as they change. */
  readonly guarded: readonly GuardedPlace[];
}

export interface GuardedPlace {
  readonly path: string;
  /** The target of a symbolic link; undefined if there must be nothing. */
  readonly target: string | undefined;
}

/** Files from which Git takes programs, or other places to take them from. */
const partsOfGit = ['hooks', 'config', 'config.worktree', 'commondir', 'modules', 'worktrees'];
/** Git breaks if these exist and are empty. */
const filesThatRedirectGit = ['config.worktree', 'commondir'];

/**
 * Finds what the editor and Git take programs from: `.vscode`, workspace files, and the settings and hooks of
 * repositories, those one level down included, since the editor looks into them by itself.
 */
export function protectedPlaces(roots: readonly string[]): ProtectedPlaces {
  const pinned: string[] = [];
  const readOnly: string[] = [];
  const absent: string[] = [];
  const guarded: GuardedPlace[] = [];
  const protect = (place: string, found: Stats) => {
    if (!found.isSymbolicLink()) {
      readOnly.push(place);
      return;
    }
    guarded.push({ path: place, target: readlinkSync(place) });
    const real = realPathOf(place);
    if (real !== undefined && roots.some((root) => isInside(real, root))) readOnly.push(real);
  };
  const protectRepository = (git: string, found: Stats) => {
    if (!found.isDirectory()) {
      protect(git, found);
      return;
    }
    pinned.push(git);
    for (const name of partsOfGit) {
      const part = path.join(git, name);
      const partFound = statOf(part);
      if (partFound !== undefined) protect(part, partFound);
      else if (filesThatRedirectGit.includes(name)) guarded.push({ path: part, target: undefined });
      else if (name === 'hooks') absent.push(part);
    }
  };
  for (const root of roots) {
    for (const name of ['.git', '.vscode']) {
      const place = path.join(root, name);
      const found = statOf(place);
      if (found === undefined) absent.push(place);
      else if (name === '.git') protectRepository(place, found);
      else protect(place, found);
    }
    for (const { name } of entriesOf(root)) {
      const place = path.join(root, name);
      const git = name === '.git' ? undefined : statOf(path.join(place, '.git'));
      if (git !== undefined) protectRepository(path.join(place, '.git'), git);
      const found = name.endsWith('.code-workspace') ? statOf(place) : undefined;
      if (found !== undefined) protect(place, found);
    }
  }
  return { pinned, readOnly: [...new Set(readOnly)], absent, guarded };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isSymbolicLink());
  } catch {
    return [];
  }
}

function statOf(place: string): Stats | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function realPathOf(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}

/** The number of running commands that need a folder to exist. */
const placeholders = new Map<string, number>();

/**
 * Makes folders that nothing can be written into in the sandbox, so that nothing else takes their place.
 *
 * @returns takes away those that were made, when no other command needs them any more
 */
export function holdPlaces(folders: readonly string[]): () => void {
  const held = folders.filter((folder) => {
    try {
      if (!placeholders.has(folder)) mkdirSync(folder);
    } catch {
      return false;
    }
    placeholders.set(folder, (placeholders.get(folder) ?? 0) + 1);
    return true;
  });
  return () => {
    for (const folder of held) {
      const others = (placeholders.get(folder) ?? 1) - 1;
      if (others > 0) placeholders.set(folder, others);
      else {
        placeholders.delete(folder);
        // Another process may have put something into it meanwhile: then it stays.
        removeEmpty(folder);
      }
    }
  };
}

/** Puts places right as soon as they change. Returns what ends that, which looks once more. */
export function guardPlaces(places: readonly GuardedPlace[]): () => void {
  const folders = new Set(places.map((place) => path.dirname(place.path)));
  const watchers = [...folders].flatMap((folder) => {
    const ofFolder = places.filter((place) => path.dirname(place.path) === folder);
    try {
      const watcher = watch(folder, { persistent: false }, () => ofFolder.forEach(putRight));
      watcher.on('error', () => {});
      return [watcher];
    } catch {
      return [];
    }
  });
  return () => {
    for (const watcher of watchers) watcher.close();
    places.forEach(putRight);
  };
}

function putRight({ path: place, target }: GuardedPlace): void {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (
    target === undefined ? found === undefined : found?.isSymbolicLink() && readlinkSync(place) === target
  ) {
    return;
  }
  try {
    rmSync(place, { recursive: true, force: true });
    if (target !== undefined) symlinkSync(target, place);
  } catch {
    // It is gone with the folder it was in, or comes right with the next look.
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is not empty, or gone already.
  }
}
