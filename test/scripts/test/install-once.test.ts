import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { installOnce, unpackPackage } from '../../../scripts/test/install-once.ts';

describe('installOnce', () => {
  let cache: string;
  let builds: number;

  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'install-once-'));
    vi.stubEnv('CONTEXT_BUDGET_CACHE', cache);
    builds = 0;
    return async () => {
      vi.unstubAllEnvs();
      await rm(cache, { recursive: true, force: true });
    };
  });

  const install = (build?: (building: string) => Promise<void>): Promise<string> =>
    installOnce({
      name: 'tool-1.0.0',
      marker: 'program',
      build: async (building) => {
        builds++;
        await build?.(building);
        await writeFile(join(building, 'program'), 'run');
        return building;
      },
    });

  it('builds a tool the first time and finds it the second time', async () => {
    const folder = await install();
    expect(await readFile(join(folder, 'program'), 'utf8')).toBe('run');
    expect(await install()).toBe(folder);
    expect(builds).toBe(1);
  });

  it('keeps one folder when two processes install at once', async () => {
    let release: () => void;
    const bothBuild = new Promise<void>((resolve) => (release = resolve));
    const together = async (): Promise<void> => {
      if (builds === 2) release();
      await bothBuild;
    };
    const [first, second] = await Promise.all([install(together), install(together)]);
    expect(first).toBe(second);
    expect(await readdir(cache)).toEqual(['tool-1.0.0']);
  });

  it('leaves no files when an installation fails', async () => {
    const failing = install(() => Promise.reject(new Error('no network')));
    await expect(failing).rejects.toThrow('tool-1.0.0 could not be installed: no network');
    expect(await readdir(cache)).toEqual([]);
    await expect(install()).resolves.toBe(join(cache, 'tool-1.0.0'));
  });

  it('explains the remedy when the cache folder cannot be written', async () => {
    const file = join(cache, 'file');
    await writeFile(file, '');
    vi.stubEnv('CONTEXT_BUDGET_CACHE', join(file, 'cache'));
    await expect(install()).rejects.toThrow(/cannot be written .*Set XDG_CACHE_HOME to a folder that can\.$/);
  });

  it('explains the remedy when the disk is full', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    await expect(install(() => Promise.reject(full))).rejects.toThrow(
      `The disk with ${cache} is full. Free 1 GB to install tool-1.0.0.`,
    );
  });
});

describe('unpackPackage', () => {
  let root: string;
  let original: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'unpack-package-'));
    original = join(root, 'original');
    await mkdir(original);
    await mkdir(join(root, 'target'));
    await writeFile(join(original, 'package.json'), JSON.stringify({ name: 'tool', version: '1.0.0' }));
    return () => rm(root, { recursive: true });
  });

  it('refuses an archive whose hash differs from the pinned one', async () => {
    const pinned = { identifier: original, integrity: 'sha512-AAAA' };
    await expect(unpackPackage(join(root, 'target'), pinned)).rejects.toThrow('is not the one');
    expect(existsSync(join(root, 'target', 'package'))).toBe(false);
  });
});
