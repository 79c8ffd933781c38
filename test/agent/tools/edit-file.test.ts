import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { diskEditor } from '../../../src/agent/edits/disk-editor.ts';
import type { FileEditor } from '../../../src/agent/edits/file-editor.ts';
import { createEditFile } from '../../../src/agent/tools/edit-file.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { act, allow, proposalOf } from './act.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';

const toolOf = (files: TemporaryWorkspace, editor: FileEditor = diskEditor) =>
  createEditFile(new Workspace([files.path]), editor);

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

describe('edit_file', () => {
  it('changes a file and shows the lines around each change', async () => {
    await using files = await TemporaryWorkspace.create({ 'src/a.ts': lines(30).join('') });
    const result = await act(toolOf(files), {
      path: 'src/a.ts',
      edits: [
        { search: 'line 5\n', replace: 'five\nand a half\n' },
        { search: 'line 20\n', replace: '' },
      ],
    });
    expect(result).toMatchObject({ isError: false, summary: { english: 'src/a.ts +2 −2' } });
    expect(result.content).toBe(`Changed src/a.ts (+2 −2 lines).

src/a.ts:
2\tline 2
3\tline 3
4\tline 4
5\tfive
6\tand a half
7\tline 6
8\tline 7
9\tline 8
…
18\tline 17
19\tline 18
20\tline 19
21\tline 21
22\tline 22
23\tline 23`);
    expect(await readFile(files.at('src/a.ts'), 'utf8')).toContain('line 4\nfive\nand a half\nline 6\n');
  });

  it('shows at most 60 lines', async () => {
    await using files = await TemporaryWorkspace.create({ a: lines(200).join('') });
    const result = await act(toolOf(files), {
      path: 'a',
      edits: [{ search: 'line', replace: 'row', all: true }],
    });
    expect(result.content.match(/^\d+\t/gm)).toHaveLength(60);
    expect(result.content).toMatch(/… read_file shows the rest\.$/);
  });

  it('shows the change to the user', async () => {
    await using files = await TemporaryWorkspace.create({ a: 'one' });
    const { changes } = await act(toolOf(files), { path: 'a', edits: [{ search: 'one', replace: '1' }] });
    expect(changes).toEqual([{ path: files.at('a'), shown: 'a', before: 'one', after: '1' }]);
  });

  it('does nothing before it is allowed', async () => {
    await using files = await TemporaryWorkspace.create({ a: 'one' });
    const { approval } = await proposalOf(toolOf(files), {
      path: 'a',
      edits: [{ search: 'one', replace: '1' }],
    });
    expect(approval).toMatchObject({
      kind: 'edit',
      title: { english: 'Edit a' },
      changes: [{ before: 'one', after: '1' }],
    });
    expect(await readFile(files.at('a'), 'utf8')).toBe('one');
  });

  it('does nothing if the file changed while the user was asked', async () => {
    await using files = await TemporaryWorkspace.create({ a: 'one' });
    const proposed = await proposalOf(toolOf(files), { path: 'a', edits: [{ search: 'one', replace: '1' }] });
    await files.write('a', 'one and mine');
    expect(await allow(proposed)).toMatchObject({
      content: 'a has changed in the meantime, so nothing was done. Read it again.',
      isError: true,
    });
    expect(await readFile(files.at('a'), 'utf8')).toBe('one and mine');
  });

  it('makes no edit if one of them cannot be made', async () => {
    await using files = await TemporaryWorkspace.create({ a: 'one two' });
    const result = await act(toolOf(files), {
      path: 'a',
      edits: [
        { search: 'one', replace: '1' },
        { search: 'three', replace: '3' },
      ],
    });
    expect(result.isError).toBe(true);
    expect(result.content).toMatch(/^The search text of edit 2 does not occur/);
    expect(await readFile(files.at('a'), 'utf8')).toBe('one two');
  });

  it('reports the text that the editor saved', async () => {
    await using files = await TemporaryWorkspace.create({ a: 'one\n' });
    const formatting: FileEditor = {
      ...diskEditor,
      apply: (changes) => diskEditor.apply(changes.map((change) => ({ ...change, after: 'formatted\n' }))),
    };
    const result = await act(toolOf(files, formatting), {
      path: 'a',
      edits: [{ search: 'one', replace: '1' }],
    });
    expect(result.content).toContain('1\tformatted');
    expect(result.changes).toMatchObject([{ after: 'formatted\n' }]);
  });

  it.each([
    ['a missing file', 'missing', 'missing does not exist. write_file creates a file.'],
    ['a directory', 'folder', 'folder is a directory.'],
    ['a path outside', '../outside', '../outside is outside the workspace and cannot be changed.'],
    ['a file of git', '.git/config', '.git/config belongs to git and is never written to.'],
    ['a binary file', 'binary', 'binary is not UTF-8 text.'],
  ])('refuses %s', async (_, path, words) => {
    await using files = await TemporaryWorkspace.create({
      'folder/file': '',
      '.git/config': 'a',
      binary: new Uint8Array([0, 1]),
    });
    const result = await act(toolOf(files), { path, edits: [{ search: 'a', replace: 'b' }] });
    expect(result.isError).toBe(true);
    expect(result.content).toContain(words);
  });

  it('checks the form of the edits first', async () => {
    await using files = await TemporaryWorkspace.create({ a: 'one' });
    const result = await act(toolOf(files), { path: 'a', edits: [{ search: 'one' }] });
    expect(result).toMatchObject({ content: 'The argument "edits[0].replace" is missing.', isError: true });
  });
});
