import { appendFile, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppendedText } from '../../../src/presenters/live/appended-text.ts';
import { takenText } from '../../support/agents/taken-text.ts';

describe('text appended to a file', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'appended-'));
    path = join(folder, 'session.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is read without the text that is already known', async () => {
    await writeFile(path, 'one\n'.repeat(500_000));
    const file = new AppendedText(path);
    expect((await takenText(file))?.text).toHaveLength(2_000_000);
    await appendFile(path, 'two\n');
    const shares: number[] = [];
    expect(await takenText(file, (share) => shares.push(share))).toEqual({ text: 'two\n', isWhole: false });
    expect(shares).toEqual([1]);
    expect(await takenText(file)).toBeUndefined();
  });

  it('is the whole file if the known text has changed at its end', async () => {
    await writeFile(path, `same beginning\n${'x'.repeat(5_000)}\n`);
    const file = new AppendedText(path);
    await takenText(file);
    const other = `same beginning\n${'y'.repeat(9_000)}\n`;
    await writeFile(path, other);
    expect(await takenText(file)).toEqual({ text: other, isWhole: true });
  });

  it('is the whole file if a file of the same length was written at another time', async () => {
    await writeFile(path, 'one\n');
    const file = new AppendedText(path);
    await takenText(file);
    await writeFile(path, 'two\n');
    await utimes(path, 1, 1);
    expect(await takenText(file)).toEqual({ text: 'two\n', isWhole: true });
  });

  it('is empty for a missing file, and refused for a file over the limit', async () => {
    await writeFile(path, 'one\n');
    const file = new AppendedText(path, 10);
    await takenText(file);
    await appendFile(path, 'much more than ten bytes\n');
    await expect(takenText(file)).rejects.toThrow('can be read');
    await expect(takenText(file)).rejects.toThrow('can be read');
    await rm(path);
    expect(await takenText(file)).toBeUndefined();
  });
});
