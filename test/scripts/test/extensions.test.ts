import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { linkExtension } from '../../../scripts/test/extensions.ts';

describe('linking an extension into a server', () => {
  let dataFolder: string;
  let list: string;
  let extension: string;

  beforeEach(async () => {
    const root = await mkdtemp(join(tmpdir(), 'link-extension-'));
    dataFolder = join(root, 'data');
    list = join(dataFolder, 'extensions', 'extensions.json');
    extension = join(root, 'an extension 扩展');
    await mkdir(extension);
    await release('1.0.0');
    return () => rm(root, { recursive: true });
  });

  async function release(version: string): Promise<void> {
    const manifest = { publisher: 'someone', name: 'something', version };
    await writeFile(join(extension, 'package.json'), JSON.stringify(manifest));
  }

  async function installed(): Promise<unknown> {
    return JSON.parse(await readFile(list, 'utf8'));
  }

  it('lists the folder itself, with the name in its manifest', async () => {
    await linkExtension(dataFolder, extension);
    expect(await installed()).toEqual([
      {
        identifier: { id: 'someone.something' },
        version: '1.0.0',
        location: { $mid: 1, scheme: 'file', path: extension },
      },
    ]);
  });

  it('replaces an old version instead of listing two', async () => {
    await linkExtension(dataFolder, extension);
    await release('2.0.0');
    await linkExtension(dataFolder, extension);
    expect(await installed()).toMatchObject([{ version: '2.0.0' }]);
  });

  it('keeps extensions that the user installed', async () => {
    await mkdir(join(dataFolder, 'extensions'), { recursive: true });
    const theirs = { identifier: { id: 'another.extension' }, version: '3.0.0' };
    await writeFile(list, JSON.stringify([theirs]));
    await linkExtension(dataFolder, extension);
    expect(await installed()).toMatchObject([theirs, { version: '1.0.0' }]);
  });
});
