import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../project.ts';

/** A packed extension. */
export interface PackageSizes {
  /** Size of the `.vsix` in bytes. */
  readonly bytes: number;
  /** Number of files in the package, including two that vsce adds. */
  readonly files: number;
}

/** Maximum size of the package. A test fails above it. */
export const mostOfPackage: PackageSizes = { bytes: 3_100_000, files: 62 };

/**
 * Path of the package that `npm run package` made.
 *
 * @throws Error with a remedy if this version has not been packed
 */
export async function packagePath(): Promise<string> {
  const manifest = await readFile(join(projectFolder, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(manifest) as { readonly name: string; readonly version: string };
  const path = join(projectFolder, `${name}-${version}.vsix`);
  if (!existsSync(path)) throw new Error(`There is no ${path}. Run \`npm run package\` first.`);
  return path;
}

/** Sizes of the packed extension. @throws like `packagePath` */
export async function packageSizes(): Promise<PackageSizes> {
  const archive = await readFile(await packagePath());
  // The record at the end of a zip file begins with this signature and has the number of files ten bytes after it.
  const end = archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  return { bytes: archive.length, files: archive.readUInt16LE(end + 10) };
}
