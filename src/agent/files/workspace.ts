import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Sentence } from '../../language/sentence.ts';
import { startupSentences } from '../../language/english/startup-english.ts';

/** An open folder. */
export interface Root {
  /** Name of the folder, with a number if another folder has the same name. */
  readonly name: string;
  readonly path: string;
}

/** The place of a path that a model gave. */
export interface Place {
  readonly root: Root;
  /** Absolute path. Symbolic links are resolved as far as they exist. */
  readonly path: string;
  /** The path that the model should use, relative and with forward slashes; `.` for the only root. */
  readonly shown: string;
}

type Resolution =
  | { readonly place: Place }
  | { readonly refusal: Sentence; readonly reason: 'invalid' | 'ambiguous' | 'outside' };

const longestPath = 4_096;

/** The only folders that tools may read. */
export class Workspace {
  private readonly folders: readonly string[];
  private readonly loaded: readonly string[];
  private known: Promise<readonly Root[]> | undefined;

  /** @param folders absolute paths @param loaded relative paths of directories with code that the host loads */
  constructor(folders: readonly string[], loaded: readonly string[] = []) {
    this.folders = folders;
    this.loaded = loaded;
  }

  get isEmpty(): boolean {
    return this.folders.length === 0;
  }

  roots(): Promise<readonly Root[]> {
    this.known ??= this.findRoots();
    return this.known;
  }

  /** Returns the real paths of the code that the host loads. */
  async guarded(): Promise<readonly string[]> {
    const roots = await this.roots();
    const candidates = roots.flatMap((root) => this.loaded.map((given) => path.resolve(root.path, given)));
    return Promise.all(candidates.map(realPathOf));
  }

  /** Finds the real place of a path. With several roots it begins with the name of one. Refuses links out of them. */
  async resolve(given: string): Promise<Resolution> {
    if (given.includes('\0')) return refused('invalid', startupSentences.say('pathHasNul'));
    if (given.length > longestPath) return refused('invalid', startupSentences.say('pathIsTooLong'));
    const roots = await this.roots();
    const candidate = this.candidateOf(given, roots);
    if (candidate === undefined) {
      const folders = roots.map(({ name }) => `${name}/`).join(', ');
      return refused('ambiguous', startupSentences.say('pathNeedsFolder', { folders }));
    }
    const real = await realPathOf(candidate);
    const root = roots.find((folder) => isInside(real, folder.path));
    if (root === undefined) return refused('outside', startupSentences.say('pathIsOutside', { path: given }));
    return { place: { root, path: real, shown: shownPath(root, real, roots) } };
  }

  /** Returns the absolute path before it is checked against the roots; undefined if it names no root. */
  private candidateOf(given: string, roots: readonly Root[]): string | undefined {
    if (path.isAbsolute(given)) return path.resolve(given);
    const [only] = roots;
    if (only !== undefined && roots.length === 1) return path.resolve(only.path, given);
    const [first, ...rest] = path.normalize(given).split(path.sep);
    const root = roots.find(({ name }) => name === first);
    return root === undefined ? undefined : path.resolve(root.path, ...rest);
  }

  private async findRoots(): Promise<readonly Root[]> {
    const roots: Root[] = [];
    for (const folder of this.folders) {
      let real: string;
      try {
        real = await realpath(folder);
      } catch {
        continue;
      }
      const base = path.basename(folder) || 'root';
      let name = base;
      for (let number = 2; roots.some((root) => root.name === name); number++) name = `${base}-${number}`;
      roots.push({ name, path: real });
    }
    return roots;
  }
}

function refused(
  reason: 'invalid' | 'ambiguous' | 'outside',
  refusal: Sentence,
): { readonly refusal: Sentence; readonly reason: typeof reason } {
  return { refusal, reason };
}

/** Returns the path that the model should use: relative to its root, with the root's name if there are several. */
export function shownPath(root: Root, absolute: string, roots: readonly Root[]): string {
  const relative = path.relative(root.path, absolute).split(path.sep).join('/');
  const parts = roots.length > 1 ? [root.name, relative] : [relative];
  return parts.filter((part) => part !== '').join('/') || '.';
}

async function realPathOf(absolute: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch {
    const parent = path.dirname(absolute);
    return parent === absolute ? absolute : path.join(await realPathOf(parent), path.basename(absolute));
  }
}

/** True if an absolute path without links is a folder or inside it. Names are compared as the system does. */
export function isInside(inner: string, outer: string, rules: path.PlatformPath = path): boolean {
  const relative = rules.relative(outer, inner);
  return relative === '' || (!rules.isAbsolute(relative) && relative.split(rules.sep)[0] !== '..');
}
