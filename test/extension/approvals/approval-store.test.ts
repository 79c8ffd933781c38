import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { ApprovalRule } from '../../../src/agent/approvals/approval-request.ts';
import { ApprovalStore } from '../../../src/extension/approvals/approval-store.ts';
import { TemporaryWorkspace } from '../../agent/tools/temporary-workspace.ts';

const npmTest: ApprovalRule = { kind: 'command', pattern: 'npm test' };
const anyEdit: ApprovalRule = { kind: 'edit', pattern: '**' };

function open(path: string) {
  const problems: string[] = [];
  return { store: new ApprovalStore(path, (problem) => problems.push(problem)), problems };
}

describe('ApprovalStore', () => {
  it('has no rules at first, which is no problem', async () => {
    await using folder = await TemporaryWorkspace.create();
    const { store, problems } = open(folder.at('rules.json'));
    expect(await store.load()).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('keeps the last of several changes made at once, and leaves no file behind', async () => {
    await using folder = await TemporaryWorkspace.create();
    const { store } = open(folder.at('new/rules.json'));
    await Promise.all([[npmTest], [], [npmTest, anyEdit]].map((rules) => store.save(rules)));
    expect(await open(folder.at('new/rules.json')).store.load()).toEqual([npmTest, anyEdit]);
    expect(await readdir(folder.at('new'))).toEqual(['rules.json']);
  });

  it.each([
    '',
    '{"rules":[{"kind":"command"',
    '[]',
    'null',
    '{"rules":{"kind":"command","pattern":"x"}}',
    '{"rules":[{"kind":"everything","pattern":"x"}]}',
    '{"rules":[{"kind":"command","pattern":""}]}',
    '{"rules":[{"kind":"command","pattern":"npm test"},3]}',
  ])('takes %j for no rules, and reports it', async (text) => {
    await using folder = await TemporaryWorkspace.create({ 'rules.json': text });
    const { store, problems } = open(folder.at('rules.json'));
    expect(await store.load()).toEqual([]);
    expect(problems).toEqual(['What is always allowed could not be read, so nothing is.']);
  });

  it('reports what cannot be written, and goes on', async () => {
    await using folder = await TemporaryWorkspace.create();
    await writeFile(folder.at('file'), '');
    const { store, problems } = open(folder.at('file/rules.json'));
    await store.save([npmTest]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^What is always allowed holds until this window closes only: /);
  });

  it('reports what cannot be read', async () => {
    await using folder = await TemporaryWorkspace.create();
    await mkdir(folder.at('rules.json'));
    const { store, problems } = open(folder.at('rules.json'));
    expect(await store.load()).toEqual([]);
    expect(problems[0]).toMatch(/^What is always allowed could not be read: /);
  });
});
