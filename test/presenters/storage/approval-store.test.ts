import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { ApprovalRule } from '../../../src/agent/approvals/approval-request.ts';
import { StoredRules } from '../../../src/agent/approvals/approval-rules.ts';
import { ApprovalStore } from '../../../src/presenters/storage/approval-store.ts';
import { TemporaryWorkspace } from '../../agent/tools/temporary-workspace.ts';

const npmTest: ApprovalRule = { kind: 'command', pattern: 'npm test' };
const anyEdit: ApprovalRule = { kind: 'edit', pattern: '**' };

function open(path: string) {
  const problems: string[] = [];
  return { store: new ApprovalStore(path, ({ english }) => problems.push(english)), problems };
}

describe('ApprovalStore', () => {
  it('has no rules at first, and reports no problem', async () => {
    await using folder = await TemporaryWorkspace.create();
    const { store, problems } = open(folder.at('rules.json'));
    expect(store.load()).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('keeps the last of several simultaneous changes, and leaves no temporary file', async () => {
    await using folder = await TemporaryWorkspace.create();
    const { store } = open(folder.at('new/rules.json'));
    const changes = [[npmTest], [], [npmTest, anyEdit]];
    await Promise.all(changes.map((rules) => store.change(() => rules)));
    expect(open(folder.at('new/rules.json')).store.load()).toEqual([npmTest, anyEdit]);
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
  ])('reads no rules from %j, and reports this', async (text) => {
    await using folder = await TemporaryWorkspace.create({ 'rules.json': text });
    const { store, problems } = open(folder.at('rules.json'));
    expect(store.load()).toEqual([]);
    expect(problems).toEqual([
      'The saved approvals could not be read, so nothing is allowed without asking.',
    ]);
  });

  it('reads no rules from a file in which one letter was changed', async () => {
    await using folder = await TemporaryWorkspace.create();
    const path = folder.at('rules.json');
    await open(path).store.change(() => [npmTest]);
    await writeFile(path, (await readFile(path, 'utf8')).replace('npm test', 'npm tes*'));
    const { store, problems } = open(path);
    expect(store.load()).toEqual([]);
    expect(problems).toHaveLength(1);
  });

  it('stores rules even if there is a folder in place of its file', async () => {
    await using folder = await TemporaryWorkspace.create();
    const path = folder.at('rules.json');
    await mkdir(path);
    await open(path).store.change(() => [npmTest]);
    expect(open(path).store.load()).toEqual([npmTest]);
  });

  it('reports a failed write, and continues', async () => {
    await using folder = await TemporaryWorkspace.create();
    await writeFile(folder.at('file'), '');
    const { store, problems } = open(folder.at('file/rules.json'));
    await store.change((rules) => [...rules, npmTest]);
    expect(store.load(), 'until this window closes').toEqual([npmTest]);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^The approval could not be saved and holds only until this window closes: /);
  });

  it('shares added and removed rules between windows', async () => {
    await using folder = await TemporaryWorkspace.create();
    const path = folder.at('rules.json');
    const [first, second] = [open(path), open(path)];
    const [rules, others] = [await StoredRules.load(first.store), await StoredRules.load(second.store)];
    await rules.add(npmTest);
    expect(others.rules).toEqual([npmTest]);
    await Promise.all([rules.remove(npmTest), others.add(anyEdit)]);
    expect(rules.rules).toEqual([anyEdit]);
    expect(others.rules).toEqual([anyEdit]);
  });

  it('reports a failed read', async () => {
    await using folder = await TemporaryWorkspace.create();
    await mkdir(folder.at('rules.json'));
    const { store, problems } = open(folder.at('rules.json'));
    expect(store.load()).toEqual([]);
    expect(problems[0]).toMatch(/^The saved approvals could not be read: /);
  });
});
