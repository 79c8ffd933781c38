import { describe, expect, it } from 'vitest';
import { diskEditor } from '../../../src/agent/edits/disk-editor.ts';
import { createApplyPatch } from '../../../src/agent/tools/apply-patch.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { act, proposalOf } from './act.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';

const toolOf = (files: TemporaryWorkspace) => createApplyPatch(new Workspace([files.path]), diskEditor);

const patchOf = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

describe('apply_patch', () => {
  it('creates, changes, moves and deletes files', async () => {
    await using files = await TemporaryWorkspace.create({ a: 'one\ntwo\n', b: 'three\n', old: 'x\n' });
    const patch = patchOf(
      '*** Add File: src/new',
      '+text',
      '*** Update File: a',
      '@@',
      '-one',
      '+1',
      ' two',
      '*** Update File: b',
      '*** Move to: c',
      '@@',
      '-three',
      '+3',
      '*** Delete File: old',
    );
    const result = await act(toolOf(files), { patch });
    expect(result.content).toBe(`Created src/new (1 line).
Changed a (+1 −1 lines).
Deleted b.
Created c (1 line).
Deleted old.

a:
1\t1
2\ttwo`);
    const texts = await Promise.all(
      ['src/new', 'a', 'b', 'c', 'old'].map((name) => diskEditor.read(files.at(name))),
    );
    expect(texts).toEqual(['text\n', '1\ntwo\n', undefined, '3\n', undefined]);
  });

  it('asks once, for all files', async () => {
    await using files = await TemporaryWorkspace.create({ a: 'one\n' });
    const patch = patchOf('*** Add File: b', '+x', '*** Update File: a', '@@', '-one', '+1');
    const { approval } = await proposalOf(toolOf(files), { patch });
    expect(approval).toMatchObject({ title: { english: 'Change 2 files' }, patterns: ['b', 'a'] });
  });

  it('accepts several sections of one file in a row', async () => {
    await using files = await TemporaryWorkspace.create({ a: 'one\n' });
    const update = (from: string, to: string) => ['*** Update File: a', '@@', `-${from}`, `+${to}`];
    await act(toolOf(files), { patch: patchOf(...update('one', 'two'), ...update('two', 'three')) });
    expect(await diskEditor.read(files.at('a'))).toBe('three\n');
  });

  it.each([
    ['a hunk does not fit', ['*** Update File: a', '@@', '-missing line', '+x'], 'Hunk 1 of a does not fit'],
    ['a file to be created exists', ['*** Add File: a', '+x'], 'a already exists'],
    ['a file to be changed does not exist', ['*** Update File: c', '@@', '-x'], 'c does not exist'],
    ['a file to be deleted does not exist', ['*** Delete File: c'], 'c does not exist'],
    ['a file would be moved over another', ['*** Update File: a', '*** Move to: b'], 'b already exists'],
    ['a file is outside the workspace', ['*** Add File: ../x', '+x'], '../x is outside the workspace'],
  ])('changes nothing at all if %s', async (_, section, words) => {
    await using files = await TemporaryWorkspace.create({ a: 'one\n', b: 'two\n' });
    const patch = patchOf('*** Add File: new', '+x', ...section);
    const result = await act(toolOf(files), { patch });
    expect(result.isError).toBe(true);
    expect(result.content).toContain(words);
    expect(await diskEditor.read(files.at('new'))).toBeUndefined();
  });

  it('is described by the files that the patch names', () => {
    const tool = createApplyPatch(new Workspace(['/']), diskEditor);
    expect(tool.describe({ patch: patchOf('*** Add File: a', '+x', '*** Delete File: b') })).toBe('a, b');
  });
});
