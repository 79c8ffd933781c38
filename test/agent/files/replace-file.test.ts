import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOrSetAside, replaceFile } from '../../../src/agent/files/replace-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replace-'));
  path = join(folder, 'kept.json');
});
afterEach(() => rm(folder, { recursive: true }));

describe('replacing a file', () => {
  it('leaves no temporary file, and makes the file readable by its owner only', async () => {
    await replaceFile(path, 'one');
    await replaceFile(path, 'two');
    expect(await readFile(path, 'utf8')).toBe('two');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['kept.json']);
  });

  it('moves a folder in its place aside, with its content', async () => {
    await mkdir(path);
    await writeFile(join(path, 'own.txt'), 'mine');
    await replaceFile(path, 'two');
    expect(await readFile(path, 'utf8')).toBe('two');
    const [, aside = ''] = (await readdir(folder)).toSorted();
    expect(await readFile(join(folder, aside, 'own.txt'), 'utf8')).toBe('mine');
  });

  it('fails with the reason if nothing can be written', async () => {
    await expect(replaceFile(join(path, 'deeper'), 'two')).rejects.toThrow('ENOENT');
  });
});

describe('reading a file before it is written', () => {
  it.each([
    ['a folder', () => mkdir(path)],
    ['a link to itself', () => symlink(path, path)],
  ])('moves %s in its place aside', async (_what, make) => {
    await make();
    expect(await readOrSetAside(path)).toBeUndefined();
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^kept\.json\.[\da-f]{12}\.aside$/u)]);
  });

  it('returns the text, or undefined if the file is missing', async () => {
    expect(await readOrSetAside(path)).toBeUndefined();
    await writeFile(path, 'one');
    expect(await readOrSetAside(path)).toBe('one');
  });
});
