import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { diskEditor } from '../../../src/agent/edits/disk-editor.ts';
import { FileEditError, type FileChange } from '../../../src/agent/edits/file-editor.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

/** Everything in the folder: names, and texts of files. */
async function contentsOf(files: TemporaryWorkspace): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(files.path, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    entries.map(async (entry): Promise<[string, string]> => {
      const path = `${entry.parentPath}/${entry.name}`;
      const name = path.slice(files.path.length + 1);
      return entry.isDirectory() ? [`${name}/`, ''] : [name, await readFile(path, 'utf8')];
    }),
  );
  return Object.fromEntries(texts);
}

function change(
  files: TemporaryWorkspace,
  shown: string,
  before: string | undefined,
  after: string | undefined,
): FileChange {
  return { path: files.at(shown), shown, before, after };
}

describe('the editor of files on disk', () => {
  it('reads a text with its byte order mark and its line ends', async () => {
    await using files = await TemporaryWorkspace.create({ file: '\ufeffa\r\n' });
    expect(await diskEditor.read(files.at('file'))).toBe('\ufeffa\r\n');
  });

  it('reports a missing file', async () => {
    await using files = await TemporaryWorkspace.create();
    expect(await diskEditor.read(files.at('folder/file'))).toBeUndefined();
  });

  it.each([
    ['bytes that are not UTF-8', new Uint8Array([0x66, 0xfc, 0x72]), 'not UTF-8 text'],
    ['a NUL character', 'a\0b', 'not UTF-8 text'],
  ])('does not read %s', async (_, content, words) => {
    await using files = await TemporaryWorkspace.create({ file: content });
    const reading = diskEditor.read(files.at('file'));
    await expect(reading).rejects.toThrow(FileEditError);
    await expect(reading).rejects.toThrow(words);
  });

  it('does not read a directory', async () => {
    await using files = await TemporaryWorkspace.create({ 'folder/file': '' });
    await expect(diskEditor.read(files.at('folder'))).rejects.toThrow('folder is a directory.');
  });

  it('creates, changes and deletes files together, and leaves no other files', async () => {
    await using files = await TemporaryWorkspace.create({ changed: 'a', deleted: 'b' });
    await diskEditor.apply([
      change(files, 'new/deep/file', undefined, 'c'),
      change(files, 'changed', 'a', 'x'),
      change(files, 'deleted', 'b', undefined),
    ]);
    expect(await contentsOf(files)).toEqual({
      'new/': '',
      'new/deep/': '',
      'new/deep/file': 'c',
      changed: 'x',
    });
  });

  it('keeps the mode of a file', async () => {
    await using files = await TemporaryWorkspace.create({ script: 'a' });
    await chmod(files.at('script'), 0o755);
    await diskEditor.apply([change(files, 'script', 'a', 'b')]);
    expect((await stat(files.at('script'))).mode & 0o777).toBe(0o755);
  });

  it('changes nothing if one of the files has changed', async () => {
    await using files = await TemporaryWorkspace.create({ one: 'a', other: 'changed' });
    const applying = diskEditor.apply([
      change(files, 'new/file', undefined, 'c'),
      change(files, 'one', 'a', 'x'),
      change(files, 'other', 'b', 'y'),
    ]);
    await expect(applying).rejects.toThrow('other has changed in the meantime');
    expect(await contentsOf(files)).toEqual({ one: 'a', other: 'changed' });
  });

  it('reverts its changes if a file cannot be written', async () => {
    await using files = await TemporaryWorkspace.create({ one: 'a', deleted: 'b' });
    const applying = diskEditor.apply([
      change(files, 'one', 'a', 'x'),
      change(files, 'deleted', 'b', undefined),
      change(files, 'new', undefined, 'c'),
      change(files, 'new/below', undefined, 'd'),
    ]);
    await expect(applying).rejects.toThrow(FileEditError);
    expect(await contentsOf(files)).toEqual({ one: 'a', deleted: 'b' });
  });

  it('explains that a parent of the path is a file', async () => {
    await using files = await TemporaryWorkspace.create({ file: 'a' });
    await expect(diskEditor.apply([change(files, 'file/below', undefined, 'b')])).rejects.toThrow(
      'is not a directory',
    );
  });

  it('explains that a directory is in the place of a new file', async () => {
    await using files = await TemporaryWorkspace.create();
    await mkdir(files.at('folder'));
    await expect(diskEditor.apply([change(files, 'folder', undefined, 'b')])).rejects.toThrow(
      'folder is a directory.',
    );
  });

  it('does not write through a folder that became a link', async () => {
    await using files = await TemporaryWorkspace.create({ 'outside/file': 'a' });
    await files.link('folder', files.at('outside'));
    for (const [name, before] of [
      ['file', 'a'],
      ['new', undefined],
      ['deep/new', undefined],
    ] as const) {
      const applying = diskEditor.apply([change(files, `folder/${name}`, before, 'b')]);
      await expect(applying).rejects.toThrow('was moved or replaced in the meantime');
    }
    expect(await readdir(files.at('outside'))).toEqual(['file']);
    expect(await readFile(files.at('outside/file'), 'utf8')).toBe('a');
  });
});
