import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CompactionRecord } from '../../src/compaction/records/record.ts';
import { runCommand } from '../support/command-line.ts';
import { textOfTokens } from '../support/messages.ts';

const history = [
  { role: 'user', content: 'find the bug' },
  { role: 'assistant', content: textOfTokens(400) },
  { role: 'user', content: 'fix it' },
];

const halving = `export const halve = () => ({
  plan: ({ view }) => ({
    kind: 'plan',
    plan: { actions: [{ kind: 'clip', id: view[1].id, content: view[1].content.slice(0, 200), reason: 'long' }] },
  }),
});`;

describe('context-budget compact --custom', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-custom-'));
    await writeFile(join(folder, 'history.json'), JSON.stringify(history));
    await writeFile(join(folder, 'mine.mjs'), halving);
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function compact(...args: readonly string[]) {
    const { code, out, notes } = await runCommand('compact', join(folder, 'history.json'), '--json', ...args);
    const record = () => JSON.parse(out) as CompactionRecord;
    return { code, record, notes };
  }

  it('runs the strategy of a module', async () => {
    const { code, record } = await compact('--strategy', 'custom', '--custom', `${folder}/mine.mjs#halve`);
    expect(code).toBe(0);
    expect(record()).toMatchObject({ status: 'applied', actualStrategy: 'custom' });
  });

  it('fails with a reason if the module does not exist', async () => {
    const { code, record } = await compact('--strategy', 'custom', '--custom', `${folder}/none.mjs#halve`);
    expect(code).toBe(1);
    expect(record()).toMatchObject({ status: 'failed', reason: { code: 'custom-missing' } });
  });

  it('falls back to fold if no module is named, and names the missing option', async () => {
    const { code, record, notes } = await compact('--strategy', 'custom', '--target', '200');
    expect(code).toBe(0);
    expect(record()).toMatchObject({ status: 'applied', actualStrategy: 'fold' });
    expect(notes.join()).toContain('--custom');
  });

  it.each([
    [['--strategy', 'none', '--custom', './mine.mjs#halve']],
    [['--strategy', 'custom', '--custom', './mine.mjs']],
    [['--strategy', 'custom', '--custom', 'someone.tools/short']],
  ])('refuses %j', async (args) => {
    const { code, notes } = await compact(...args);
    expect(code).toBe(2);
    expect(notes.join()).toMatch(/--custom/);
  });
});
