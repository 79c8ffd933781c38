import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';
import { publishableManifest } from '../../scripts/release-manifest.ts';

it('publishableManifest removes the guard and adds the repository to the manifest of the project', async () => {
  const manifest = await readFile(join(projectFolder, 'package.json'), 'utf8');
  const { private: isPrivate, ...fields } = JSON.parse(manifest) as Readonly<Record<string, unknown>>;
  expect(isPrivate).toBe(true);
  expect(JSON.parse(publishableManifest(manifest, 'https://example.org/owner/name'))).toEqual({
    ...fields,
    repository: { type: 'git', url: 'git+https://example.org/owner/name.git' },
  });
});

it('publishableManifest refuses a repository that is not an address', () => {
  expect(() => publishableManifest('{}', '')).toThrow('"" is not the address of a repository.');
});
