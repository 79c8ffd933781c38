/**
 * Prints the notes of a release: its section of CHANGELOG.md. Fails if the tag is not the version in package.json.
 *
 * Usage: node scripts/release-notes.ts TAG
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './project.ts';
import { runMain } from './run-main.ts';

/**
 * The section of a version in a changelog, without its heading.
 *
 * @throws Error if the tag does not match the version, or the changelog has no section for it
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`)
    throw new Error(`The tag ${tag} is not v${version}, the version in package.json.`);
  const sections = changelog.replaceAll('\r\n', '\n').split(/^## /mu).slice(1);
  const section = sections.find((text) => text.startsWith(`${version}\n`) || text.startsWith(`${version} `));
  const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (notes === '') throw new Error(`CHANGELOG.md has no text under "## ${version}".`);
  return notes;
}

async function main(): Promise<void> {
  const [tag = ''] = process.argv.slice(2);
  const manifest = await readFile(join(projectFolder, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  console.log(releaseNotes(tag, version, await readFile(join(projectFolder, 'CHANGELOG.md'), 'utf8')));
}

if (process.argv[1] === import.meta.filename) await runMain(main);
