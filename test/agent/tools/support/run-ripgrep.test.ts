import { chmod } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { runRipgrep, type RipgrepOutcome } from '../../../../src/agent/tools/support/run-ripgrep.ts';
import { TemporaryWorkspace } from '../temporary-workspace.ts';

/** Runs a shell script in ripgrep's place. */
async function run(
  script: string,
  milliseconds: number,
): Promise<{ readonly items: readonly string[]; readonly outcome: RipgrepOutcome }> {
  await using files = await TemporaryWorkspace.create({ 'fake-rg': `#!/bin/sh\n${script}\n` });
  await chmod(files.at('fake-rg'), 0o755);
  const items: string[] = [];
  const outcome = await runRipgrep(
    {
      executable: files.at('fake-rg'),
      flags: [],
      operands: [],
      directory: files.path,
      separator: '\n',
      onItem: (item) => items.push(item) > 0,
      deadline: performance.now() + milliseconds,
    },
    new AbortController().signal,
  );
  return { items, outcome };
}

describe('a run of ripgrep', () => {
  it('ends at its time limit, and keeps the results so far', async () => {
    const { items, outcome } = await run('echo one; echo two; exec sleep 600', 2_000);
    expect({ items, outcome }).toEqual({ items: ['one', 'two'], outcome: { limit: 'time' } });
  });

  it('does not begin after the time limit', async () => {
    expect(await run('echo one', 0)).toEqual({ items: [], outcome: { limit: 'time' } });
  });

  it('ends if its output never stops', async () => {
    const { items, outcome } = await run(
      'exec yes "some line that is rather long, again and again"',
      600_000,
    );
    expect(outcome).toEqual({ limit: 'output' });
    expect(items.length).toBeGreaterThan(100_000);
  });

  it('continues after an item that is far too long', async () => {
    const { items, outcome } = await run(
      'echo one; head -c 30000000 /dev/zero | tr "\\0" x; echo; echo two',
      600_000,
    );
    expect({ items, outcome }).toEqual({ items: ['one', 'two'], outcome: {} });
  });

  it('ends if its results fill the memory', async () => {
    // Doubles a text in memory until it is killed.
    const { outcome } = await run(
      'exec node -e "const all = []; for (;;) all.push(Buffer.alloc(1e8, 1))"',
      600_000,
    );
    expect(outcome).toEqual({ limit: 'memory' });
  });
});
