import { execFile } from 'node:child_process';
import { appendFile, rename, truncate } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readPart, readWholeText, withDirectory, withRealFile } from '../../../src/agent/files/real-file.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const read = (path: string, most = 1_000) => withRealFile(path, (file) => readWholeText(file, most));

describe('a file that is opened once', () => {
  it('is the same file even if its path leads elsewhere later', async () => {
    await using files = await TemporaryWorkspace.create({ 'folder/a': 'inside', 'outside/a': 'secret' });
    const text = await withRealFile(files.at('folder/a'), async ({ handle }) => {
      await rename(files.at('folder'), files.at('moved'));
      await files.link('folder', files.at('outside'));
      return (await readPart(handle, 0, 100)).toString();
    });
    expect(text).toBe('inside');
  });

  it.each(['folder/a', 'link'])('is not read if a link is in its path: %s', async (name) => {
    await using files = await TemporaryWorkspace.create({ 'outside/a': 'secret' });
    await files.link('folder', files.at('outside'));
    await files.link('link', files.at('outside/a'));
    await expect(read(files.at(name))).rejects.toMatchObject({ reason: 'moved' });
  });

  it('is refused without waiting if it is a named pipe', async () => {
    await using files = await TemporaryWorkspace.create();
    await promisify(execFile)('mkfifo', [files.at('pipe')]);
    await expect(read(files.at('pipe'))).rejects.toMatchObject({ reason: 'special' });
  });

  it.each(['/dev/zero', '/dev/null'])('is refused if it is a device: %s', async (path) => {
    await expect(read(path)).rejects.toMatchObject({ reason: 'special' });
  });

  it('is recognised as binary by its first bytes, however large', async () => {
    await using files = await TemporaryWorkspace.create({ sparse: '' });
    await truncate(files.at('sparse'), 4_000_000_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(await read(files.at('sparse'))).toEqual({ refusal: 'binary' });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  });

  it('is too large once it has grown beyond the limit', async () => {
    await using files = await TemporaryWorkspace.create({ a: 'a'.repeat(1_000) });
    const reading = withRealFile(files.at('a'), async (file) => {
      await appendFile(files.at('a'), 'b');
      return readWholeText(file, 1_000);
    });
    expect(await reading).toEqual({ refusal: 'too-large' });
  });
});

describe('an open directory', () => {
  it('stays the same directory, and reports that it has moved', async () => {
    await using files = await TemporaryWorkspace.create({ 'folder/a': 'inside', 'outside/a': 'secret' });
    await withDirectory(files.at('folder'), async (held) => {
      await held.check();
      await rename(files.at('folder'), files.at('moved'));
      await files.link('folder', files.at('outside'));
      await expect(held.check()).rejects.toMatchObject({ reason: 'moved' });
      if (process.platform !== 'linux') return;
      const { stdout } = await promisify(execFile)('cat', ['a'], { cwd: held.entrance });
      expect(stdout).toBe('inside');
    });
  });

  it.each([
    ['link', 'moved'],
    ['file', 'not-a-directory'],
  ])('is refused if it is a %s', async (name, reason) => {
    await using files = await TemporaryWorkspace.create({ file: '', 'outside/a': '' });
    await files.link('link', files.at('outside'));
    await expect(withDirectory(files.at(name), () => Promise.resolve())).rejects.toMatchObject({ reason });
  });
});
