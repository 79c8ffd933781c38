import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/compaction/signals/cancellation.ts';
import { readTranscriptFile } from '../../../src/presenters/import/transcript-file.ts';
import { openedLimits, unaskedLimits } from '../../../src/transcripts/reading/read-limits.ts';

describe('reading the file of a transcript', () => {
  let folder: string;
  let path: string;
  const never = new AbortController().signal;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transcript-'));
    path = join(folder, 'session.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('returns the whole text, and splits no character between pieces', async () => {
    const text = `a${'é€😀'.repeat(400_000)}`;
    await writeFile(path, text);
    expect((await readTranscriptFile(path, never, unaskedLimits)) === text).toBe(true);
  });

  it('reports progress', async () => {
    await writeFile(path, 'x'.repeat(2_500_000));
    const shares: number[] = [];
    await readTranscriptFile(path, never, unaskedLimits, (share) => shares.push(share));
    expect(shares.length).toBeGreaterThan(1);
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    expect(shares.at(-1)).toBe(1);
  });

  it('can be cancelled while it reads', async () => {
    await writeFile(path, 'x'.repeat(2_500_000));
    const stopper = new AbortController();
    const reading = readTranscriptFile(path, stopper.signal, unaskedLimits, () => stopper.abort());
    await expect(reading).rejects.toThrow(CancelledError);
  });

  it('refuses a file that is too large without reading it', async () => {
    await writeFile(path, 'x'.repeat(1_500_001));
    const shares: number[] = [];
    const reading = readTranscriptFile(path, never, unaskedLimits, (share) => shares.push(share), 1_500_000);
    await expect(reading).rejects.toThrow('The file has 2 MB; at most 2 MB can be read.');
    expect(shares).toEqual([]);
  });

  it.each(['', '{}\n'])('refuses a line over the limit of automatic reading after %j', async (before) => {
    await writeFile(path, `${before}${'x'.repeat(16_000_001)}`);
    await expect(readTranscriptFile(path, never, unaskedLimits)).rejects.toThrow(
      'The file has a line of more than 16 MB.',
    );
    expect(await readTranscriptFile(path, never, openedLimits)).toHaveLength(before.length + 16_000_001);
  });

  it('refuses an empty file', async () => {
    await writeFile(path, '');
    await expect(readTranscriptFile(path, never, unaskedLimits)).rejects.toThrow('The file is empty.');
  });

  it('refuses a folder', async () => {
    await expect(readTranscriptFile(folder, never, unaskedLimits)).rejects.toThrow('This is not a file.');
  });
});
