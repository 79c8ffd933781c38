import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { filesIn } from '../../../src/presenters/import/found-files.ts';

it('the newest sessions of a folder are found, no matter how many the folder contains', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'found-'));
  try {
    for (let at = 0; at < 10; at++) await writeFile(join(folder, `${at}.jsonl`), '{}');
    for (const name of ['0', '5', '9']) {
      await utimes(join(folder, `${name}.jsonl`), 4_000_000_000, 4_000_000_000);
    }
    const place = { agent: 'claude-code', folder, levels: [/\.jsonl$/u] } as const;
    const found = await filesIn(
      [place],
      ({ levels }) => [levels],
      { signal: new AbortController().signal },
      3,
    );
    expect(found.map(({ path }) => basename(path)).toSorted()).toEqual(['0.jsonl', '5.jsonl', '9.jsonl']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
