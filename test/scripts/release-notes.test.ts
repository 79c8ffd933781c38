import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';
import { releaseNotes } from '../../scripts/release-notes.ts';

const changelog = `# Changelog

## 1.10.0

- Newest.

### Details

More.

## 1.1.0 (2030-01-02)

- Older.

## 1.0.0

`;

it.each([
  ['1.10.0', '- Newest.\n\n### Details\n\nMore.'],
  ['1.1.0', '- Older.'],
])('releaseNotes returns the section of the version %s', (version, notes) => {
  expect(releaseNotes(`v${version}`, version, changelog)).toBe(notes);
  expect(releaseNotes(`v${version}`, version, changelog.replaceAll('\n', '\r\n'))).toBe(notes);
});

it.each([
  ['v1.1.0', '1.10.0', 'The tag v1.1.0 is not v1.10.0, the version in package.json.'],
  ['', '1.1.0', 'The tag  is not v1.1.0, the version in package.json.'],
  ['v1.0.0', '1.0.0', 'CHANGELOG.md has no text under "## 1.0.0".'],
  ['v1.1', '1.1', 'CHANGELOG.md has no text under "## 1.1".'],
])('releaseNotes refuses when the tag is "%s" and the version %s', (tag, version, message) => {
  expect(() => releaseNotes(tag, version, changelog)).toThrow(message);
});

it('releaseNotes finds notes for the version of the project', async () => {
  const textOf = (name: string): Promise<string> => readFile(join(projectFolder, name), 'utf8');
  const { version } = JSON.parse(await textOf('package.json')) as { readonly version: string };
  expect(releaseNotes(`v${version}`, version, await textOf('CHANGELOG.md'))).toMatch(/^- \S/u);
});
