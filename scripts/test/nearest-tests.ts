import { posix } from 'node:path';

/** File → files that it imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** Test files that depend on a change, nearest first. */
export interface NearestTests {
  /** The nearest test files, up to the limit. */
  readonly chosen: readonly string[];
  /** Test files beyond the limit. */
  readonly leftOut: readonly string[];
}

/**
 * Finds the test files that import a changed file directly or indirectly, sorted by the number of steps. Tests in
 * the folder that mirrors the folder of a changed file come before all others.
 *
 * @param changed paths of the changed files
 * @param isTest true for a test file that may be chosen
 */
export function nearestTests(
  imports: Imports,
  changed: readonly string[],
  isTest: (path: string) => boolean,
  limit: number,
): NearestTests {
  const importers = invert(imports);
  const reached = new Set(changed.filter((path) => imports.has(path)));
  // A set may grow while it is iterated, in the order of insertion, so this is a breadth-first search.
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
  const mirrors = new Set(changed.map((path) => posix.dirname(path).replace(/^src\//u, 'test/')));
  const isFar = (path: string): number => (mirrors.has(posix.dirname(path)) ? 0 : 1);
  const found = [...reached].filter(isTest).sort((one, other) => isFar(one) - isFar(other));
  return { chosen: found.slice(0, limit), leftOut: found.slice(limit) };
}

function invert(imports: Imports): Imports {
  const importers = new Map<string, string[]>();
  for (const [path, targets] of imports) {
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path]);
  }
  return importers;
}
