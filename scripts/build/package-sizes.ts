import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../project.ts';

/** A packed extension. */
export interface PackageSizes {
  /** Bytes of the `.vsix`. */
  readonly bytes: number;
  /** Files in it, the two that vsce adds included. */
  readonly files: number;
}

/** Limit of the package; a test fails above it. */
export const mostOfPackage: PackageSizes = { bytes: 3_100_000, files: 62 };

/**
 * Path of the package that `npm run package` made last.
 *
 * @throws Error with the remedy if this version was not packed
 */
export async function packagePath(): Promise<string> {
  const manifest = await readFile(join(projectFolder, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(manifest) as { readonly name: string; readonly version: string };
  const path = join(projectFolder, `${name}-${version}.vsix`);
  if (!existsSync(path)) throw new Error(`There is no ${path}. Run \`npm run package\` first.`);
  return path;
}

/** Sizes of that package. @throws as `packagePath` does */
export async function packageSizes(): Promise<PackageSizes> {
  const archive = await readFile(await packagePath());
  // The record at the end of a zip file: its signature, and the number of files ten bytes on.
  const end = archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  return { bytes: archive.length, files: archive.readUInt16LE(end + 10) };
}
