import { posix } from 'node:path';
import ts from 'typescript';
import { knotsOf } from './circles.ts';
import { repeatedExports, unusedExports } from './exports.ts';
import { layerOf, layers, type Import, type Layer, type Size, type SourceFile } from './source-tree.ts';

/** A file with fewer lines is short. */
export const shortFile = 40;

/** A file with more lines may contain more than one concept. */
export const longFile = 250;

/** Measures of the source tree to which rules refer. */
export interface HouseReport {
  readonly files: number;
  readonly lines: number;
  readonly medianLines: number;
  /** Share of files with fewer than 40 lines. */
  readonly shortShare: number;
  readonly longest: { readonly path: string; readonly lines: number };
  /** Files with more than 250 lines, longest first. */
  readonly long: readonly SourceFile[];
  /** Files with fewer than 40 lines that only one file imports. */
  readonly slivers: readonly string[];
  /** Permissions in `layers.json` that no import uses, such as `src/agent → diff`. */
  readonly unusedGrants: readonly string[];
  /** Groups of files whose imports form a circle. */
  readonly fileKnots: readonly (readonly string[])[];
  /** Layer → groups of folders whose imports form a circle. Layers without such groups are absent. */
  readonly folderKnots: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** Base name → paths of the files that share it. */
  readonly repeatedNames: ReadonlyMap<string, readonly string[]>;
  /** Constructors with more than four positional parameters. */
  readonly wideConstructors: readonly string[];
  /** The size and the budget of each layer. */
  readonly rooms: readonly Room[];
  /** Exports that no other file uses, such as `src/cli/files.ts: readText`. */
  readonly unusedExports: readonly string[];
  /** Exported name that two files declare → paths of the files. */
  readonly repeatedExports: ReadonlyMap<string, readonly string[]>;
}

/** The size and the budget of a layer. */
export interface Room extends Size {
  readonly folder: string;
  readonly budget: Size;
}

/** Files whose exports other programs use: the extension and the entries of the library. */
const entries: ReadonlySet<string> = new Set([
  'src/extension/extension.ts',
  'src/library/engine.ts',
  'src/library/formats.ts',
]);

/**
 * Measures the source tree.
 *
 * @param others files of scripts and tests, which may use exports as well
 */
export function measureHouse(files: readonly SourceFile[], others: readonly SourceFile[]): HouseReport {
  const byLength = files.toSorted((one, other) => one.lines - other.lines);
  const longest = byLength.at(-1)!;
  const importers = importersOf(files);
  const short = files.filter(({ lines }) => lines < shortFile);
  return {
    files: files.length,
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    medianLines: medianOf(byLength.map(({ lines }) => lines)),
    shortShare: short.length / files.length,
    longest: { path: longest.path, lines: longest.lines },
    long: byLength.filter(({ lines }) => lines > longFile).reverse(),
    slivers: short.filter(({ path }) => importers.get(path)?.size === 1).map(({ path }) => path),
    unusedGrants: unusedGrants(files),
    fileKnots: knotsOf(graphOf(files, (path) => path)),
    folderKnots: folderKnots(files),
    repeatedNames: repeatedNames(files),
    wideConstructors: files.flatMap(wideConstructors),
    rooms: roomsOf(files),
    unusedExports: unusedExports(files, [...files, ...others], entries).map(
      ({ path, name }) => `${path}: ${name}`,
    ),
    repeatedExports: repeatedExports(files),
  };
}

function roomsOf(files: readonly SourceFile[]): readonly Room[] {
  const byLayer = Map.groupBy(files, ({ path }) => layerOf(path)!);
  return Object.entries(layers).map(([folder, { budget }]) => {
    const members = byLayer.get(folder) ?? [];
    return {
      folder,
      files: members.length,
      lines: members.reduce((sum, { lines }) => sum + lines, 0),
      budget,
    };
  });
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]!;
}

function importersOf(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    for (const { target } of imports) {
      if (target !== undefined) importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return importers;
}

/** Graph of imports between files, or between groups of files by `placeOf`. */
function graphOf(files: readonly SourceFile[], placeOf: (path: string) => string): Map<string, Set<string>> {
  const graph = new Map(files.map(({ path }) => [placeOf(path), new Set<string>()]));
  const known = new Set(files.map(({ path }) => path));
  for (const { path, imports } of files) {
    for (const { target } of imports) {
      if (target === undefined || !known.has(target) || placeOf(target) === placeOf(path)) continue;
      graph.get(placeOf(path))!.add(placeOf(target));
    }
  }
  return graph;
}

function folderKnots(files: readonly SourceFile[]): ReadonlyMap<string, readonly (readonly string[])[]> {
  const byLayer = Map.groupBy(files, ({ path }) => layerOf(path)!);
  return new Map(
    [...byLayer]
      .map(([layer, members]) => [layer, knotsOf(graphOf(members, (path) => posix.dirname(path)))] as const)
      .filter(([, knots]) => knots.length > 0),
  );
}

function unusedGrants(files: readonly SourceFile[]): readonly string[] {
  const byLayer = Map.groupBy(files, ({ path }) => layerOf(path)!);
  return Object.entries(layers).flatMap(([folder, granted]) => {
    const imports = (byLayer.get(folder) ?? []).flatMap((file) => file.imports);
    return unusedOf(granted, imports).map((name) => `${folder} → ${name}`);
  });
}

function unusedOf(granted: Layer, imports: readonly Import[]): readonly string[] {
  return [
    ...granted.layers.filter(
      (folder) => !imports.some(({ target }) => target !== undefined && layerOf(target) === folder),
    ),
    ...granted.packages.filter((name) => !imports.some(({ specifier }) => isOfPackage(specifier, name))),
  ];
}

/** True if a specifier names a package or a file in it. `node:*` stands for all modules of Node. */
export function isOfPackage(specifier: string, name: string): boolean {
  return name === 'node:*'
    ? specifier.startsWith('node:')
    : specifier === name || specifier.startsWith(`${name}/`);
}

function repeatedNames(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  const byName = Map.groupBy(
    files.map(({ path }) => path),
    (path) => posix.basename(path),
  );
  return new Map([...byName].filter(([, paths]) => paths.length > 1));
}

function wideConstructors({ path, syntax }: SourceFile): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isConstructorDeclaration(node) && node.parameters.length > 4) {
      const name = ts.isClassLike(node.parent) ? node.parent.name?.text : undefined;
      found.push(`${path}: ${name ?? 'a class'} (${node.parameters.length})`);
    }
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return found;
}
