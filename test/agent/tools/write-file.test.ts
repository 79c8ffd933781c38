import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { diskEditor } from '../../../src/agent/edits/disk-editor.ts';
import { createWriteFile } from '../../../src/agent/tools/write-file.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { act, proposalOf } from './act.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';

const toolOf = (files: TemporaryWorkspace) => createWriteFile(new Workspace([files.path]), diskEditor);

describe('write_file', () => {
  it('creates a file with the directories it needs', async () => {
    await using files = await TemporaryWorkspace.create();
    const result = await act(toolOf(files), { path: 'src/deep/a.ts', content: 'one\ntwo\n' });
    expect(result).toMatchObject({
      content: 'Created src/deep/a.ts (2 lines).',
      isError: false,
      summary: { english: 'src/deep/a.ts +2 −0' },
    });
    expect(await readFile(files.at('src/deep/a.ts'), 'utf8')).toBe('one\ntwo\n');
  });

  it('replaces a file, and keeps its line ends and its byte order mark', async () => {
    await using files = await TemporaryWorkspace.create({ a: '\ufeffone\r\n' });
    await act(toolOf(files), { path: 'a', content: 'two\nthree\n' });
    expect(await readFile(files.at('a'), 'utf8')).toBe('\ufefftwo\r\nthree\r\n');
  });

  it('warns if most of a file would be lost', async () => {
    await using files = await TemporaryWorkspace.create({ 'a.ts': '1\n2\n3\n4\n' });
    const { approval } = await proposalOf(toolOf(files), { path: 'a.ts', content: '1\n' });
    expect(approval).toMatchObject({
      title: { english: 'Edit a.ts' },
      warnings: [{ english: 'a.ts loses 3 of its 4 lines.' }],
    });
  });

  it('asks about a sensitive file every time', async () => {
    await using files = await TemporaryWorkspace.create();
    const { approval } = await proposalOf(toolOf(files), { path: '.vscode/tasks.json', content: '{}' });
    expect(approval).not.toHaveProperty('rule');
    expect(approval.warnings).toMatchObject([{ values: { file: '.vscode/tasks.json' } }]);
  });

  it('reports that nothing would change', async () => {
    await using files = await TemporaryWorkspace.create({ a: 'one' });
    const result = await act(toolOf(files), { path: 'a', content: 'one' });
    expect(result).toEqual({
      content: 'Nothing would change: the files are like that already.',
      isError: true,
    });
  });

  it('asks about the real file behind a link within the workspace', async () => {
    await using files = await TemporaryWorkspace.create({ '.env': 'KEY=1' });
    await files.link('notes', files.at('.env'));
    const { approval } = await proposalOf(toolOf(files), { path: 'notes', content: 'KEY=2' });
    expect(approval).toMatchObject({ patterns: ['.env'] });
  });

  it('writes through no link that leads outside', async () => {
    await using files = await TemporaryWorkspace.create();
    await using outside = await TemporaryWorkspace.create({ file: 'mine' });
    await files.link('folder', outside.path);
    await files.link('nowhere', outside.at('missing'));
    const tool = toolOf(files);
    for (const path of ['folder/file', 'folder/new', 'folder/new/deep']) {
      const { content } = await act(tool, { path, content: 'x' });
      expect(content).toBe(`${path} is outside the workspace and cannot be changed.`);
    }
    for (const path of ['nowhere', 'nowhere/deep']) {
      const { content } = await act(tool, { path, content: 'x' });
      expect(content).toBe(`The path ${path} contains a symbolic link that leads nowhere.`);
    }
  });
});
