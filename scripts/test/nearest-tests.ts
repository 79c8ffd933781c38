import { posix } from 'node:path';

/** The files that each file imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** Test files that depend on a change, nearest first. */
export interface NearestTests {
  /** The nearest test files within the limit. */
  readonly chosen: readonly string[];
  /** Test files beyond the limit. */
  readonly leftOut: readonly string[];
}

/**
 * Finds the test files that reach a changed file through their imports, those over the fewest imports first.
 * Tests in the folder that mirrors a changed file's folder come before all others.
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
  // A set can grow during iteration, in insertion order, so this is a breadth-first search.
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
