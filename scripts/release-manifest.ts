/**
 * Makes the package.json of this checkout publishable on npm. In the repository it is `private`, which prevents
 * publishing by mistake. It also lacks the field `repository`, which npm compares with the provenance of the archive.
 *
 * Usage: node scripts/release-manifest.ts REPOSITORY-URL
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './project.ts';
import { runMain } from './run-main.ts';

/**
 * Converts a manifest into one that npm publishes. Both are JSON.
 *
 * @param repository address of a web page, such as `https://example.org/owner/name`
 * @throws Error if the address is invalid
 */
export function publishableManifest(manifest: string, repository: string): string {
  if (!URL.canParse(repository)) throw new Error(`"${repository}" is not the address of a repository.`);
  const { private: _private, ...fields } = JSON.parse(manifest) as Readonly<Record<string, unknown>>;
  const publishable = { ...fields, repository: { type: 'git', url: `git+${repository}.git` } };
  return `${JSON.stringify(publishable, undefined, 2)}\n`;
}

async function main(): Promise<void> {
  const path = join(projectFolder, 'package.json');
  const [repository = ''] = process.argv.slice(2);
  await writeFile(path, publishableManifest(await readFile(path, 'utf8'), repository));
}

if (process.argv[1] === import.meta.filename) await runMain(main);
