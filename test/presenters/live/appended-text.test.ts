import { appendFile, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppendedText } from '../../../src/presenters/live/appended-text.ts';

describe('the text that is appended to a file', () => {
  let folder: string;
  let path: string;
  const never = new AbortController().signal;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'appended-'));
    path = join(folder, 'session.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is read alone, after everything was read once', async () => {
    await writeFile(path, 'one\n'.repeat(500_000));
    const file = new AppendedText(path);
    expect((await file.read(never))?.text).toHaveLength(2_000_000);
    await appendFile(path, 'two\n');
    const shares: number[] = [];
    expect(await file.read(never, (share) => shares.push(share))).toEqual({ text: 'two\n', isWhole: false });
    expect(shares).toEqual([1]);
    expect(await file.read(never)).toBeUndefined();
  });

  it('has no character that is cut in two', async () => {
    const bytes = Buffer.from('\uFEFFé€😀\n');
    await writeFile(path, bytes.subarray(0, 0));
    const file = new AppendedText(path);
    const texts: string[] = [];
    for (const byte of bytes) {
      await appendFile(path, Buffer.of(byte));
      texts.push((await file.read(never))?.text ?? '');
    }
    expect(texts.join('')).toBe('é€😀\n');
    expect(texts.filter((text) => text !== '')).toEqual(['é', '€', '😀', '\n']);
  });

  it('is everything where the end of what was known is another one, in a longer file', async () => {
    await writeFile(path, `same beginning\n${'x'.repeat(5_000)}\n`);
    const file = new AppendedText(path);
    await file.read(never);
    const other = `same beginning\n${'y'.repeat(9_000)}\n`;
    await writeFile(path, other);
    expect(await file.read(never)).toEqual({ text: other, isWhole: true });
  });

  it('is everything where a file of the same length was written at another time', async () => {
    await writeFile(path, 'one\n');
    const file = new AppendedText(path);
    await file.read(never);
    await writeFile(path, 'two\n');
    await utimes(path, 1, 1);
    expect(await file.read(never)).toEqual({ text: 'two\n', isWhole: true });
  });

  it('is nothing of a file that is gone, and refused of one that has grown larger than what is read', async () => {
    await writeFile(path, 'one\n');
    const file = new AppendedText(path, 10);
    await file.read(never);
    await appendFile(path, 'much more than ten bytes\n');
    await expect(file.read(never)).rejects.toThrow('can be read');
    await expect(file.read(never)).rejects.toThrow('can be read');
    await rm(path);
    expect(await file.read(never)).toBeUndefined();
  });
});
