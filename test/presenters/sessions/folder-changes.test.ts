import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderChanges } from '../../../src/presenters/sessions/folder-changes.ts';

describe.runIf(process.platform === 'linux')('the changes of folders', () => {
  let root: string;
  let changes: FolderChanges;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'changes-'));
    changes = new FolderChanges();
    await examine();
  });
  afterEach(async () => {
    changes.stop();
    await rm(root, { recursive: true, force: true });
  });

  async function examine(...folders: readonly string[]): Promise<void> {
    await changes.begin([root]);
    for (const folder of [root, ...folders]) changes.enter(folder);
    changes.end();
  }
  const changedNames = async () => {
    const changed = await changes.take();
    changes.end();
    return changed && [...changed].map((path) => basename(path)).toSorted();
  };

  it('are unknown before the first examination, and until one is complete', async () => {
    expect(await new FolderChanges().take()).toBeUndefined();
    await changes.take();
    expect(await changes.take()).toBeUndefined();
  });

  it('are told with the next call, each once', async () => {
    expect(await changedNames()).toEqual([]);
    await writeFile(join(root, 'a'), 'a');
    await writeFile(join(root, 'b'), 'b');
    expect(await changedNames()).toEqual(['a', 'b']);
    await appendFile(join(root, 'a'), 'a');
    expect(await changedNames()).toEqual(['a']);
    await rename(join(root, 'a'), join(root, 'c'));
    expect(await changedNames()).toEqual(['a', 'c']);
    await rm(join(root, 'b'));
    expect(await changedNames()).toEqual(['b']);
    expect(await changedNames()).toEqual([]);
  });

  it('are those of watched folders until their path may lead elsewhere', async () => {
    const below = join(root, 'below');
    await mkdir(below);
    await examine(below);
    await writeFile(join(below, 'a'), 'a');
    expect(await changedNames()).toEqual(['a']);
    changes.leave(below);
    await writeFile(join(below, 'b'), 'b');
    expect(await changedNames()).toEqual([]);
  });

  it('are unknown after so many that the system may have dropped some', async () => {
    for (let index = 0; index < 2_001; index++) await writeFile(join(root, `${index}`), '');
    expect(await changedNames()).toBeUndefined();
    await examine();
    expect(await changedNames()).toEqual([]);
  });

  it('are unknown if there are too many folders to watch', async () => {
    // The same folder by many paths.
    const paths = Array.from(
      { length: 8_193 },
      (_, index) => `${root}${'/.'.repeat(index % 90)}${'/'.repeat(index / 90)}`,
    );
    await examine(...paths);
    expect(await changedNames()).toBeUndefined();
  });

  it('are unknown on a file system that does not report them', async () => {
    await changes.begin([root, '/proc']);
    changes.end();
    expect(await changedNames()).toBeUndefined();
  });

  it('are unknown if a root was added or is another folder', async () => {
    const added = join(root, 'added');
    await changes.begin([added]);
    changes.enter(added);
    changes.end();
    expect(await changedNames()).toEqual([]);
    await mkdir(added);
    expect(await changedNames()).toBeUndefined();
    await changes.begin([added]);
    changes.enter(added);
    changes.end();
    await rename(added, join(root, 'before'));
    await mkdir(added);
    expect(await changedNames()).toBeUndefined();
  });
});
