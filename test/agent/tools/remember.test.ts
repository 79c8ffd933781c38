import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { mostMemoryBytes } from '../../../src/agent/memory/memory-files.ts';
import { createRemember } from '../../../src/agent/tools/remember.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';
import { noQuestion } from '../../support/no-question.ts';

const { signal } = new AbortController();
const context = { signal, callKey: 'm1:0', ask: noQuestion, progress: () => {} };

function toolIn(home: TemporaryWorkspace) {
  const memory = { path: home.at('deep/memory.md'), shown: 'memory.md' };
  const tool = createRemember(memory, () => Date.UTC(2026, 0, 31, 12));
  const remember = async (text: string) => {
    const proposed = await tool.propose({ text }, signal);
    return 'perform' in proposed ? proposed.perform(context) : proposed;
  };
  return { tool, remember, text: () => readFile(memory.path, 'utf8') };
}

describe('remember', () => {
  it('shows the text, and stores nothing yet', async () => {
    await using home = await TemporaryWorkspace.create();
    const { tool, text } = toolIn(home);
    expect(await tool.propose({ text: 'Answer\n in French.' }, signal)).toMatchObject({
      approval: {
        kind: 'memory',
        title: { english: 'Remember in memory.md' },
        details: 'Answer in French.',
        patterns: ['remember'],
        rule: { kind: 'memory', pattern: 'remember' },
      },
    });
    await expect(text()).rejects.toThrow('ENOENT');
  });

  it('appends dated lines', async () => {
    await using home = await TemporaryWorkspace.create();
    const { remember, text } = toolIn(home);
    const result = await remember('Answer in French.');
    await remember('Never push.');
    expect(result).toMatchObject({ isError: false });
    expect(result.content).toContain('memory.md');
    expect(await text()).toBe('- 2026-01-31: Answer in French.\n- 2026-01-31: Never push.\n');
  });

  it("appends after the user's own lines", async () => {
    await using home = await TemporaryWorkspace.create({ 'deep/memory.md': '# Mine' });
    const { remember, text } = toolIn(home);
    await remember('Never push.');
    expect(await text()).toBe('# Mine\n- 2026-01-31: Never push.\n');
  });

  it('stores nothing twice, even if it was stored while the user was asked', async () => {
    await using home = await TemporaryWorkspace.create({ 'deep/memory.md': '- 2025-02-03: never push.\n' });
    const { tool, remember, text } = toolIn(home);
    expect((await remember('Never push.')).content).toBe('memory.md says so already.');
    const proposed = await tool.propose({ text: 'Brief.' }, signal);
    await remember('Brief.');
    if ('perform' in proposed) await proposed.perform(context);
    expect((await text()).match(/Brief\./g)).toHaveLength(1);
  });

  it.each([
    [' \n', 'the text is empty'],
    ['x'.repeat(501), 'The text has 501 characters, at most 500 are kept.'],
  ])('refuses an empty or overlong text', async (text, sentence) => {
    await using home = await TemporaryWorkspace.create();
    const result = await toolIn(home).remember(text);
    expect(result.isError).toBe(true);
    expect(result.content).toContain(sentence);
  });

  it('refuses a text when the file is full', async () => {
    await using home = await TemporaryWorkspace.create({ 'deep/memory.md': 'x'.repeat(mostMemoryBytes - 5) });
    const result = await toolIn(home).remember('Brief.');
    expect(result.isError).toBe(true);
    expect(result.content).toContain('memory.md is full');
  });
});
