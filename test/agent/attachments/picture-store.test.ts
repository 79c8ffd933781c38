import { mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PictureStore } from '../../../src/agent/attachments/picture-store.ts';
import { bytesOf, pictures, pngOf } from '../../support/pictures.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pictures-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('stored pictures', () => {
  it('are found by their names, also from another window', async () => {
    const name = await new PictureStore(folder).keep(bytesOf(pictures.webp), 'image/webp');
    expect(name).toMatch(/^picture-[0-9a-f]{10}$/);
    const read = await new PictureStore(folder).read(name);
    expect(Buffer.from(read ?? []).toString('base64')).toBe(pictures.webp);
  });

  it('are stored once, however often they are added', async () => {
    const store = new PictureStore(folder);
    const names = await Promise.all([1, 2, 3].map(() => store.keep(bytesOf(pictures.png), 'image/png')));
    expect(new Set(names).size).toBe(1);
    expect(await readdir(folder)).toEqual([`${names[0]}.png`]);
  });

  it.each(['../secret', 'picture-0000000000/../../x', 'picture-xyz', ''])(
    'are not found by an invalid name: %j',
    async (name) => {
      const store = new PictureStore(folder);
      await store.keep(bytesOf(pictures.png), 'image/png');
      expect(await store.read(name)).toBeUndefined();
    },
  );

  it('count as missing once damaged, until they are added again', async () => {
    const store = new PictureStore(folder);
    const name = await store.keep(bytesOf(pictures.png), 'image/png');
    await truncate(store.pathOf(name, 'image/png'), 20);
    expect(await store.read(name)).toBeUndefined();
    await store.keep(bytesOf(pictures.png), 'image/png');
    expect(await store.read(name)).toBeDefined();
  });

  it('are kept if new, even if the clock was set back and older pictures look newer', async () => {
    const store = new PictureStore(folder);
    const tomorrow = Date.now() / 1_000 + 86_400;
    for (let number = 0; number < 205; number++) {
      const path = store.pathOf(`picture-${String(number).padStart(10, '0')}`, 'image/png');
      await writeFile(path, '');
      await utimes(path, tomorrow, tomorrow);
    }
    const names = [await store.keep(pngOf(1, 1), 'image/png'), await store.keep(pngOf(2, 1), 'image/png')];
    for (const name of names) expect(await store.read(name)).toBeDefined();
  });

  it('are removed, oldest first, if there are many', async () => {
    const store = new PictureStore(folder);
    for (let side = 1; side <= 205; side++) await store.keep(pngOf(side, 1), 'image/png');
    expect((await readdir(folder)).length).toBe(200);
    const newest = await store.keep(pngOf(205, 1), 'image/png');
    expect(await store.read(newest)).toBeDefined();
  });
});
