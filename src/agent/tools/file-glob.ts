import path from 'node:path';
import { runRipgrep } from './ripgrep.ts';
import type { Root } from './workspace.ts';

/** A glob as flags for ripgrep. */
export interface FileGlob {
  readonly flags: readonly string[];
  /** Paths that count; undefined where the flags alone tell. */
  readonly allowed: ReadonlySet<string> | undefined;
  /** The look-up for it was ended at its limit, so that paths may be missing. */
  readonly isLimited?: boolean;
}

/** What looking for files takes. */
interface FileLookup {
  readonly executable: string;
  /** The root that paths are relative to. */
  readonly directory: string;
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
}

/** Characters of a glob. */
const longestGlob = 1_000;

/**
 * Makes a glob mean what it says and no more. Given to `--glob` it would bring back files that are ignored, so a
 * glob for names goes to ripgrep as a file type, which does not; one for paths is given to `--glob`, and only those
 * of its files count that ripgrep lists without it.
 */
export async function fileGlob(
  glob: string,
  lookup: FileLookup,
  signal: AbortSignal,
): Promise<FileGlob | { readonly problem: string }> {
  const given = glob.replace(/^\.\//, '').replace(/\/$/, '/**');
  const relative = given.replace(/^\/+/, '');
  const plain = relative.replace(/^(?:\*\*\/)+/, '');
  const isAnywhere = plain !== relative || !given.startsWith('/');
  if (isAnywhere && !plain.includes('/')) return { flags: typeFlags(plain), allowed: undefined };
  const lastSegment = plain.slice(plain.lastIndexOf('/') + 1);
  const isWholeSegment = !/[{}[\]]/.test(plain) && lastSegment !== '' && lastSegment !== '**';
  const allowed = new Set<string>();
  const { problem, limit } = await runRipgrep(
    {
      ...lookup,
      flags: ['--files', '--null', ...(isWholeSegment ? typeFlags(lastSegment) : [])],
      operands: [],
      separator: '\0',
      onItem: (item) => {
        allowed.add(normalise(item));
        return true;
      },
    },
    signal,
  );
  if (problem !== undefined) return { problem };
  const anchored = plain === relative ? `/${plain}` : `**/${plain}`;
  return { flags: [`--glob=${anchored}`], allowed, isLimited: limit !== undefined };
}

/** A path as ripgrep prints it, with forward slashes and without a leading `./`. */
export function normalise(printed: string): string {
  return printed.split(path.sep).join('/').replace(/^\.\//, '');
}

/** What is wrong with a glob before ripgrep sees it. */
export function globProblem(glob: string): string | undefined {
  if (glob.trim() === '') return 'The glob is empty. Example: **/*.ts';
  if (glob.length > longestGlob) return `The glob is too long: more than ${longestGlob} characters.`;
  if (/[\0\n\r]/.test(glob)) return 'A glob is one line.';
  if (glob.startsWith('!')) return 'A glob says what to find; it cannot start with "!".';
  return undefined;
}

/** With several roots a glob may start with the name of one, and is then meant for that one only. */
export function globsByRoot(
  glob: string,
  roots: readonly Root[],
): readonly { readonly root: Root; readonly glob: string }[] {
  const named = roots.length > 1 ? roots.find(({ name }) => glob.startsWith(`${name}/`)) : undefined;
  if (named === undefined) return roots.map((root) => ({ root, glob }));
  return [{ root: named, glob: glob.slice(named.name.length) }];
}

function typeFlags(nameGlob: string): readonly string[] {
  return [`--type-add=wanted:${nameGlob}`, '--type=wanted'];
}
