import { chmod } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { editApproval } from '../../../src/agent/approvals/edit-approval.ts';
import type { FileChange } from '../../../src/agent/edits/file-editor.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const change = (shown: string, before: string | undefined, after: string | undefined): FileChange => ({
  path: `/projects/${shown}`,
  shown,
  before,
  after,
});

describe('the approval of an edit', () => {
  it('names the file and can cover all edits', async () => {
    const changes = [change('src/lock.ts', 'a\n', 'b\n')];
    expect(await editApproval(changes)).toMatchObject({
      kind: 'edit',
      title: { english: 'Edit src/lock.ts' },
      details: '',
      changes,
      patterns: ['src/lock.ts'],
      rule: { kind: 'edit', pattern: '**' },
    });
  });

  it.each([
    ['Create src/a.ts', [change('src/a.ts', undefined, '')]],
    ['Delete src/a.ts', [change('src/a.ts', '', undefined)]],
    ['Change 2 files', [change('src/a.ts', '', 'x'), change('src/b.ts', 'x', '')]],
  ])('has the title: %s', async (title, changes) => {
    expect((await editApproval(changes)).title.english).toBe(title);
  });

  it('covers only this edit, with a warning, if one of the files is sensitive', async () => {
    const { rule, warnings = [] } = await editApproval([
      change('src/a.ts', '', 'x'),
      change('.env', '', 'KEY=1'),
    ]);
    expect(rule).toBeUndefined();
    expect(warnings.map(({ english }) => english)).toEqual(['.env may hold secrets.']);
  });

  it('warns of changed scripts', async () => {
    const before = '{"scripts":{"test":"vitest"}}';
    const { rule, warnings = [] } = await editApproval([
      change('package.json', before, '{"scripts":{"test":"evil"}}'),
    ]);
    expect(warnings.map(({ english }) => english)).toEqual(['package.json changes scripts, which run code.']);
    expect(rule).toBeUndefined();
  });

  it('warns of a changed package.json even if its scripts stay the same', async () => {
    const before = '{"name":"a","scripts":{"test":"vitest"}}';
    const after = '{"name":"b","scripts":{"test":"vitest"}}';
    expect((await editApproval([change('package.json', before, after)])).warnings).toMatchObject([
      {
        english:
          'package.json is not a plain source file or document. It may configure tools, run code or instruct agents.',
      },
    ]);
  });

  it.each<[string, FileChange, readonly string[]]>([
    [
      'a new package.json with scripts',
      change('a/package.json', undefined, '{"scripts":{"a":"b"}}'),
      ['changes'],
    ],
    ['a new package.json without scripts', change('package.json', undefined, '{}'), ['is not']],
    ['scripts that cannot be read', change('package.json', '{"scripts":{}}', '{"scripts'), ['changes']],
    ['a package.json that is not an object', change('package.json', '{"scripts":{}}', '[]'), ['changes']],
    ['a deleted package.json', change('package.json', '{"scripts":{}}', undefined), ['is not']],
    ['a file with a similar name', change('my-package.json.ts', '{}', '{"scripts":{}}'), []],
    ['a deleted file', change('src/a.ts', '1\n2\n3\n', undefined), []],
    ['a file that is emptied', change('src/a.ts', '1\n2\n3\n', ''), ['loses']],
    ['a secret that is emptied', change('.env', '1\n2\n', ''), ['may hold', 'loses']],
  ])('gives the expected warnings for %s', async (_, one, expected) => {
    const { warnings = [] } = await editApproval([one]);
    const words = warnings.map(({ english }) => english.replace(one.shown, '').trim());
    expect(words.map((text) => expected.find((start) => text.startsWith(start)))).toEqual(expected);
  });

  it('recognises a package.json on Windows', async () => {
    const scripts = {
      path: 'C:\\w\\package.json',
      shown: 'package.json',
      before: '{}',
      after: '{"scripts":{}}',
    };
    expect((await editApproval([scripts])).warnings).toMatchObject([
      { english: 'package.json changes scripts, which run code.' },
    ]);
  });

  it('counts 0 files for an empty edit', async () => {
    expect((await editApproval([])).title.english).toBe('Change 0 files');
  });

  it.each([
    ['becomes a script', change('src/a.py', 'x', '#!/bin/sh\nx')],
    ['was a script', change('src/a.py', '#!/bin/sh\nx', 'x')],
  ])('covers only this edit if a file %s', async (_, script) => {
    expect((await editApproval([script])).rule).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('covers only this edit if the file is executable', async () => {
    await using files = await TemporaryWorkspace.create({ 'src/a.py': 'x' });
    const path = files.at('src/a.py');
    const file = { path, shown: 'src/a.py', before: 'x', after: 'y' };
    expect((await editApproval([file])).rule).toBeDefined();
    await chmod(path, 0o755);
    expect((await editApproval([file])).rule).toBeUndefined();
  });

  it('covers only this edit if the extension loads the file', async () => {
    const module = change('compaction/strategy.mjs', 'x', 'y');
    expect((await editApproval([module], ['/projects/compaction'])).rule).toBeUndefined();
    expect((await editApproval([module], ['/projects/other'])).rule).toBeDefined();
  });

  it('warns if a file loses more than half of its lines', async () => {
    expect((await editApproval([change('src/a.ts', '1\n2\n3\n4\n5\n', '1\n2\n')])).warnings).toMatchObject([
      { english: 'src/a.ts loses 3 of its 5 lines.' },
    ]);
  });

  it('does not warn if a file loses exactly half of its lines', async () => {
    expect((await editApproval([change('src/a.ts', '1\n2\n3\n4\n', '1\n2\n')])).warnings).toBeUndefined();
  });
});
