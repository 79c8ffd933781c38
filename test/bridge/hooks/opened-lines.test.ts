import { mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HookCallError } from '../../../src/bridge/hooks/hook-call.ts';
import { endOfLines, type OpenedLines, withSessionFile } from '../../../src/bridge/hooks/opened-lines.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('withSessionFile', () => {
  it('gives the size and any bytes of a file, and closes it', async () => {
    const path = join(folder, 'a.jsonl');
    await writeFile(path, '0123456789');
    let late: OpenedLines | undefined;
    const read = await withSessionFile(path, async (session) => {
      late = session;
      return [session.size, String(await session.bytes(2, 5)), String(await session.bytes(5, 2))];
    });
    expect(read).toEqual([10, '234', '']);
    await expect(late?.bytes(0, 1)).rejects.toThrow();
  });

  it('gives fewer bytes if the file was cut in the meantime', async () => {
    const path = join(folder, 'cut.jsonl');
    await writeFile(path, '0123456789');
    const read = await withSessionFile(path, async (session) => {
      await truncate(path, 4);
      return String(await session.bytes(2, 10));
    });
    expect(read).toBe('23');
  });

  it('closes the file after an error of the work', async () => {
    const path = join(folder, 'error.jsonl');
    await writeFile(path, '0');
    let late: OpenedLines | undefined;
    const work = withSessionFile(path, (session) => {
      late = session;
      return Promise.reject(new Error('not readable'));
    });
    await expect(work).rejects.toThrow('not readable');
    await expect(late?.bytes(0, 1)).rejects.toThrow();
  });

  it('refuses folders and links, and passes on other errors', async () => {
    const link = join(folder, 'link.jsonl');
    await symlink(join(folder, 'a.jsonl'), link);
    const read = (path: string) => withSessionFile(path, () => Promise.resolve('read'));
    await expect(read(folder)).rejects.toThrow(new HookCallError(`the transcript is not a file: ${folder}`));
    await expect(read(link)).rejects.toThrow(new HookCallError(`the transcript is a link: ${link}`));
    await expect(read(join(folder, 'missing'))).rejects.toThrow('ENOENT');
  });
});

describe('endOfLines', () => {
  it.each([
    ['after the last line feed', '{}\n{}\n', 6],
    ['before a line without an end', '{}\n{}\n{"ty', 6],
    ['before a long line without an end', `{}\n${'x'.repeat(3_000_000)}`, 3],
    ['at the beginning without a line feed', '{"ty', 0],
    ['at the beginning of an empty file', '', 0],
    ['within a line that no reader takes', `{}\n${'x'.repeat(16_000_100)}`, 103],
  ])('is %s', async (_where, text, end) => {
    const path = join(folder, 'end.jsonl');
    await writeFile(path, text);
    expect(await withSessionFile(path, endOfLines)).toBe(end);
  });
});
