import { rgPath } from '@vscode/ripgrep';
import { describe, expect, it } from 'vitest';
import { createFindFiles } from '../../../src/agent/tools/find-files.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';
import { words } from '../words.ts';

const signal = new AbortController().signal;

const find = (folders: readonly string[], input: Readonly<Record<string, unknown>>) =>
  createFindFiles(new Workspace(folders), rgPath).run(input, signal);

const project = {
  'src/a.ts': '',
  'src/deep/b.ts': '',
  'src/deep/b.test.tsx': '',
  'docs/a.md': '',
  'README.md': '',
  '.github/workflows/ci.yml': '',
  '.gitignore': 'dist/\n*.log\n',
  'dist/out.ts': '',
  'debug.log': '',
  '.git/config.ts': '',
};

describe('find_files', () => {
  it.each([
    ['**/*.ts', ['src/a.ts', 'src/deep/b.ts']],
    ['*.ts', ['src/a.ts', 'src/deep/b.ts']],
    ['./**/*.ts', ['src/a.ts', 'src/deep/b.ts']],
    ['*.{ts,tsx}', ['src/a.ts', 'src/deep/b.test.tsx', 'src/deep/b.ts']],
    ['src/*.ts', ['src/a.ts']],
    ['src/**/*.ts', ['src/a.ts', 'src/deep/b.ts']],
    ['{src,docs}/**', ['docs/a.md', 'src/a.ts', 'src/deep/b.test.tsx', 'src/deep/b.ts']],
    ['src/deep/', ['src/deep/b.test.tsx', 'src/deep/b.ts']],
    ['**/deep/*', ['src/deep/b.test.tsx', 'src/deep/b.ts']],
    ['/README.md', ['README.md']],
    ['.github/**/*.yml', ['.github/workflows/ci.yml']],
    ['b.ts', ['src/deep/b.ts']],
  ])('finds %s', async (glob, expected) => {
    await using files = await TemporaryWorkspace.create(project);
    expect((await find([files.path], { glob })).content.split('\n')).toEqual(expected);
  });

  it.each(['*.log', 'dist/**', '**/out.ts', '.git/*', '**/config.ts'])(
    'omits ignored files: %s',
    async (glob) => {
      await using files = await TemporaryWorkspace.create(project);
      expect(await find([files.path], { glob })).toEqual({
        content: `No file matches ${glob}.`,
        isError: false,
      });
    },
  );

  it('omits ignored files even if everything is requested', async () => {
    await using files = await TemporaryWorkspace.create(project);
    for (const glob of ['*', '**', '**/*']) {
      const found = (await find([files.path], { glob })).content.split('\n');
      expect(found).toEqual(
        words(`.github/workflows/ci.yml .gitignore README.md docs/a.md src/a.ts src/deep/b.test.tsx
          src/deep/b.ts`),
      );
    }
  });

  it('stops after 500 files and says so', async () => {
    const names = Array.from({ length: 510 }, (_, index) => [`d/f${String(index).padStart(3, '0')}.x`, '']);
    await using files = await TemporaryWorkspace.create(Object.fromEntries(names) as Record<string, string>);
    const result = await find([files.path], { glob: '*.x' });
    expect(result.isTruncated).toBe(true);
    expect(result.content.split('\n').filter((line) => line.endsWith('.x'))).toHaveLength(500);
    expect(result.content).toContain('d/f499.x\n\n[The first 500 files; there are more.');
  });

  it('finds names with spaces, dashes and any script', async () => {
    await using files = await TemporaryWorkspace.create({ '源码/a b.ts': '', '-x.ts': '' });
    expect((await find([files.path], { glob: '*.ts' })).content.split('\n')).toEqual([
      '-x.ts',
      '源码/a b.ts',
    ]);
  });

  it('searches several folders, or the one that the glob names', async () => {
    await using files = await TemporaryWorkspace.create({ 'api/src/x.ts': '', 'web/src/y.ts': '' });
    const folders = [files.at('api'), files.at('web')];
    expect((await find(folders, { glob: '*.ts' })).content).toBe('api/src/x.ts\nweb/src/y.ts');
    expect((await find(folders, { glob: 'src/*.ts' })).content).toBe('api/src/x.ts\nweb/src/y.ts');
    expect((await find(folders, { glob: 'web/**/*.ts' })).content).toBe('web/src/y.ts');
  });

  it('does not follow links out of the workspace', async () => {
    await using files = await TemporaryWorkspace.create({ 'secrets/key.ts': '', 'app/a.ts': '' });
    await files.link('app/link', files.at('secrets'));
    expect((await find([files.at('app')], { glob: '**/*.ts' })).content).toBe('a.ts');
  });

  it.each([
    [{}, '"glob" is missing'],
    [{ glob: '' }, 'The glob is empty'],
    [{ glob: '!*.ts' }, 'cannot start with "!"'],
    [{ glob: '*.{ts' }, 'The glob is not valid'],
    [{ glob: 'src/[' }, 'The glob is not valid'],
    [{ glob: true }, 'must be a text'],
  ])('answers %o with an explanation', async (input, sentence) => {
    await using files = await TemporaryWorkspace.create(project);
    const result = await find([files.path], input);
    expect(result.isError).toBe(true);
    expect(result.content).toContain(sentence);
  });

  it('never treats a glob as an option, whatever it looks like', async () => {
    await using files = await TemporaryWorkspace.create(project);
    const result = await find([files.path], { glob: '--pre=touch owned' });
    expect(result.content).toBe('No file matches --pre=touch owned.');
  });

  it('reports that ripgrep is missing', async () => {
    await using files = await TemporaryWorkspace.create(project);
    const tool = createFindFiles(new Workspace([files.path]), files.at('no-rg'));
    const result = await tool.run({ glob: '*.ts' }, signal);
    expect(result.isError).toBe(true);
    expect(result.content).toContain('could not be started');
  });
});
