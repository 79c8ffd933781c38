import { describe, expect, it } from 'vitest';
import { createListDirectory } from '../../../src/agent/tools/list-directory.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';

const signal = new AbortController().signal;

const list = (folders: readonly string[], input: Readonly<Record<string, unknown>>) =>
  createListDirectory(new Workspace(folders)).run(input, signal);

describe('list_directory', () => {
  it('shows directories first, then files with their sizes, including hidden ones', async () => {
    await using files = await TemporaryWorkspace.create({
      'zoo/deep/x': '',
      'README.md': 'x'.repeat(1400),
      '.env': 'A=1',
      '.github/ci.yml': '',
      'ümlaut.txt': '',
    });
    expect(await list([files.path], {})).toEqual({
      content: '.github/\nzoo/\n.env  3 bytes\nREADME.md  1.4 kB\nümlaut.txt  0 bytes',
      isError: false,
    });
  });

  it('shows a subdirectory', async () => {
    await using files = await TemporaryWorkspace.create({ 'src/deep/a.ts': 'a' });
    expect((await list([files.path], { path: 'src/deep' })).content).toBe('a.ts  1 byte');
  });

  it('shows the targets of links, without following them outside', async () => {
    await using files = await TemporaryWorkspace.create({ secret: 'x', 'app/dir/a': '', 'app/file': 'ab' });
    await files.link('app/l-broken', files.at('app/none'));
    await files.link('app/l-dir', files.at('app/dir'));
    await files.link('app/l-file', files.at('app/file'));
    await files.link('app/l-out', files.at('secret'));
    expect((await list([files.at('app')], {})).content.split('\n')).toEqual([
      'dir/',
      'file  2 bytes',
      'l-broken (broken link)',
      'l-dir/ (link)',
      'l-file  2 bytes (link)',
      'l-out (link to outside the workspace)',
    ]);
  });

  it('stops after 500 entries and says so', async () => {
    const names = Array.from({ length: 503 }, (_, index) => [`f${String(index).padStart(3, '0')}`, '']);
    await using files = await TemporaryWorkspace.create(Object.fromEntries(names) as Record<string, string>);
    const result = await list([files.path], {});
    expect(result.isTruncated).toBe(true);
    expect(result.content).toContain('f499');
    expect(result.content).not.toContain('f500');
    expect(result.content).toContain('[The first 500 of 503 entries.]');
  });

  it('shows the names of several folders', async () => {
    await using files = await TemporaryWorkspace.create({ 'api/x': '', 'web/y': '' });
    const folders = [files.at('api'), files.at('web')];
    expect((await list(folders, { path: './' })).content).toBe('api/\nweb/');
    expect((await list(folders, { path: 'web' })).content).toBe('y  0 bytes');
  });

  it.each([
    [{ path: 'file' }, 'not a directory'],
    [{ path: 'none' }, 'none does not exist'],
    [{ path: '..' }, 'outside the workspace'],
    [{ path: 5 }, 'must be a text'],
  ])('answers %o with an explanation', async (input, sentence) => {
    await using files = await TemporaryWorkspace.create({ file: '' });
    const result = await list([files.path], input);
    expect(result.isError).toBe(true);
    expect(result.content).toContain(sentence);
  });

  it('says that a directory is empty', async () => {
    await using files = await TemporaryWorkspace.create();
    expect(await list([files.path], {})).toEqual({ content: '. is empty.', isError: false });
  });
});
