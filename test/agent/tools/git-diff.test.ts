import { execFileSync } from 'node:child_process';
import { chmod, readdir, rm, utimes } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createGitDiff } from '../../../src/agent/tools/git-diff.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';
import { hasGit } from '../../support/installed-git.ts';

const signal = new AbortController().signal;

/** Environment without the Git settings of the user who runs the tests. */
const environment = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};
const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];

function diff(
  folders: readonly string[],
  input: Readonly<Record<string, unknown>> = {},
  variables: Readonly<Record<string, string | undefined>> = environment,
) {
  return createGitDiff(new Workspace(folders), { environment: () => variables }).run(input, signal);
}

/** A real repository with one commit of the files. */
class Repository {
  readonly files: TemporaryWorkspace;

  static async create(files: Readonly<Record<string, string>>): Promise<Repository> {
    const repository = new Repository(await TemporaryWorkspace.create(files));
    repository.git('init', '--quiet', '--initial-branch=main');
    repository.commit();
    return repository;
  }

  private constructor(files: TemporaryWorkspace) {
    this.files = files;
  }

  get path(): string {
    return this.files.path;
  }

  git(...commandLine: readonly string[]): string {
    return execFileSync('git', [...author, ...commandLine], {
      cwd: this.path,
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  commit(): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--message=A commit');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.files[Symbol.asyncDispose]();
  }
}

describe.skipIf(!hasGit)('git_diff', () => {
  it('shows changes since the last commit, staged or not, and untracked files', async () => {
    await using repository = await Repository.create({
      'a.txt': 'one\ntwo\n',
      'b.txt': 'b\n',
      'gone.txt': 'x\n',
    });
    await repository.files.write('a.txt', 'one\n2\nthree\n');
    repository.git('add', 'a.txt');
    await repository.files.write('b.txt', 'b!\n');
    await rm(repository.files.at('gone.txt'));
    await repository.files.write('new.txt', 'new\n');
    const { content, summary, isError } = await diff([repository.path]);
    expect(isError).toBe(false);
    expect(summary?.english).toBe('3 files changed, +3 −3; 1 not tracked');
    expect(content).toMatch(
      /^3 files changed.*\n\nNot tracked:\n {2}new\.txt\n\ndiff --git a\/a\.txt b\/a\.txt\n/,
    );
    expect(content).toContain('\n-two\n+2\n+three\n');
    expect(content).toContain('\n-b\n+b!\n');
    expect(content).toContain('deleted file');
  });

  it('shows only staged changes', async () => {
    await using repository = await Repository.create({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await repository.files.write('a.txt', 'A\n');
    repository.git('add', 'a.txt');
    await repository.files.write('b.txt', 'B\n');
    await repository.files.write('new.txt', '');
    const { content, summary } = await diff([repository.path], { staged: true });
    expect(summary?.english).toBe('1 file changed, +1 −1');
    expect(content).not.toContain('b.txt');
  });

  it('compares with another commit', async () => {
    await using repository = await Repository.create({ 'a.txt': 'one\n' });
    repository.git('tag', 'v1');
    await repository.files.write('a.txt', 'two\n');
    repository.commit();
    expect((await diff([repository.path])).content).toBe('Nothing changed');
    expect((await diff([repository.path], { against: 'HEAD~1' })).content).toContain('-one\n+two');
    expect((await diff([repository.path], { against: 'v1' })).content).toContain('-one\n+two');
    expect(await diff([repository.path], { against: 'v2' })).toMatchObject({
      content: 'There is no commit v2.',
      isError: true,
    });
  });

  it.each(['--output=x', '-O', '', 'main:a.txt --', ':/x', 'a\nb', '--end-of-options'])(
    'rejects %j as the name of a commit',
    async (against) => {
      await using repository = await Repository.create({});
      const { isError, content } = await diff([repository.path], { against });
      expect(isError).toBe(true);
      expect(content).toContain('is not the name of a commit');
    },
  );

  it('is limited to a path, which is read literally and may be deleted', async () => {
    await using repository = await Repository.create({
      'src/a.txt': 'a\n',
      'src/*.txt': 's\n',
      'b.txt': 'b\n',
    });
    for (const name of ['src/a.txt', 'src/*.txt', 'b.txt']) await repository.files.write(name, 'x\n');
    const summaryOf = async (path: string) => (await diff([repository.path], { path })).summary?.english;
    expect(await summaryOf('src')).toBe('2 files changed, +2 −2');
    expect(await summaryOf('src/*.txt')).toBe('1 file changed, +1 −1');
    await rm(repository.files.at('src'), { recursive: true });
    const { content } = await diff([repository.path], { path: 'src/a.txt' });
    expect(content).toContain('--- a/src/a.txt\n+++ /dev/null');
    expect(content).not.toContain('b.txt');
  });

  it("names files as other tools do, wherever the repository's root is", async () => {
    await using repository = await Repository.create({ 'app/src/a.txt': 'a\n', 'secret.txt': 's\n' });
    await repository.files.write('app/src/a.txt', 'b\n');
    await repository.files.write('app/new.txt', '');
    await repository.files.write('secret.txt', 'more\n');
    await using other = await TemporaryWorkspace.create();
    const one = await diff([repository.files.at('app')]);
    expect(one.content).toContain('  new.txt\n');
    expect(one.content).toContain('+++ b/src/a.txt');
    expect(one.content).not.toContain('secret');
    const several = await diff([repository.files.at('app'), other.path], { path: 'app' });
    expect(several.content).toContain('  app/new.txt\n');
    expect(several.content).toContain('+++ b/app/src/a.txt');
  });

  it('works before the first commit', async () => {
    await using files = await TemporaryWorkspace.create({ 'a.txt': 'a\n' });
    execFileSync('git', ['init', '--quiet', files.path], { env: environment });
    execFileSync('git', ['add', 'a.txt'], { cwd: files.path, env: environment });
    expect((await diff([files.path])).summary?.english).toBe('1 file changed, +1 −0');
  });

  it('lists only some of very many untracked files', async () => {
    await using repository = await Repository.create({});
    for (let number = 100; number < 160; number++) await repository.files.write(`${number}.txt`, '');
    await repository.files.write('a\nb', '');
    const { content, summary } = await diff([repository.path]);
    expect(summary?.english).toBe('Nothing changed; 61 not tracked');
    expect(content).toContain('  149.txt\n  … and 11 more');
    expect((await diff([repository.path], { path: 'a\nb' })).content).toContain('  "a\\nb"');
  });

  it('cuts off a long diff after a whole line', async () => {
    await using repository = await Repository.create({ 'a.txt': '' });
    await repository.files.write('a.txt', 'a line of text\n'.repeat(100_000));
    const { content, isTruncated, summary } = await diff([repository.path]);
    expect(isTruncated).toBe(true);
    expect(summary?.english).toBe('1 file changed, +100,000 −0');
    expect(content.length).toBeLessThan(1_000_500);
    expect(content).toMatch(/\n\+a line of text\n\[The diff is longer\. Ask for one path at a time\.\]$/);
  });

  it('reports that there is no repository', async () => {
    await using files = await TemporaryWorkspace.create();
    expect(await diff([files.path])).toMatchObject({
      content: 'This folder is not in a git repository.',
      isError: true,
    });
  });

  it('reports that git is missing, and runs no git from the workspace', async () => {
    await using repository = await Repository.create({ git: '#!/bin/sh\ntouch ran\n' });
    await chmod(repository.files.at('git'), 0o755);
    const { content } = await diff([repository.path], {}, { ...environment, PATH: '.:' });
    expect(content).toBe('git is not installed, or not in the PATH.');
    expect(await readdir(repository.path)).not.toContain('ran');
  });

  it('shows no files of an outside folder that the repository claims as its own', async () => {
    await using outside = await TemporaryWorkspace.create({ 'a.txt': 'private\n' });
    await using repository = await Repository.create({ 'a.txt': 'a\n' });
    repository.git('config', 'core.worktree', outside.path);
    const { content, isError } = await diff([repository.path]);
    expect(isError).toBe(true);
    expect(content).not.toContain('private');
  });

  it('ignores environment variables for git', async () => {
    await using repository = await Repository.create({ 'a.txt': 'a\n' });
    await using other = await Repository.create({ 'other.txt': 'o\n' });
    await other.files.write('other.txt', 'changed\n');
    const variables = { ...environment, GIT_DIR: other.files.at('.git'), GIT_EXTERNAL_DIFF: 'false' };
    expect((await diff([repository.path], {}, variables)).content).toBe('Nothing changed');
  });
});

/** Ways in which a repository's own configuration has a program run. Each leaves a different mark. */
const traps: Readonly<Record<string, (mark: string) => readonly (readonly [string, string])[]>> = {
  fsmonitor: (mark) => [['core.fsmonitor', `touch ${mark}; false`]],
  'external diff': (mark) => [['diff.external', `touch ${mark}; true`]],
  'diff driver': (mark) => [['diff.trap.command', `touch ${mark}; true`]],
  textconv: (mark) => [['diff.trap.textconv', `touch ${mark}; cat`]],
  'clean filter': (mark) => [['filter.trap.clean', `touch ${mark}; cat`]],
  'filter process': (mark) => [
    ['filter.trap.process', `touch ${mark}; false`],
    ['filter.trap.required', 'true'],
  ],
  'filter with an odd name': (mark) => [['filter.odd=name.clean', `touch ${mark}; cat`]],
  pager: (mark) => [
    ['core.pager', `touch ${mark}; cat`],
    ['pager.diff', `touch ${mark}; cat`],
  ],
  alias: (mark) => [['alias.diff', `!touch ${mark}`]],
};

describe.skipIf(!hasGit || process.platform === 'win32')('git_diff in a hostile repository', () => {
  async function hostile() {
    const repository = await Repository.create({
      '.gitattributes': '* diff=trap filter=trap\nodd filter=odd=name\n',
      'a.txt': 'a\n',
      odd: 'a\n',
    });
    await repository.files.write('a.txt', 'b\n');
    await repository.files.write('odd', 'b\n');
    return repository;
  }

  it.each(Object.entries(traps))('does not run its %s', async (_name, settings) => {
    await using repository = await hostile();
    await using marks = await TemporaryWorkspace.create();
    for (const [key, value] of settings(marks.at('mark'))) repository.git('config', key, value);
    const { summary, isError } = await diff([repository.path]);
    await diff([repository.path], { staged: true });
    expect(isError).toBe(false);
    expect(summary?.english).toBe('2 files changed, +2 −2');
    expect(await readdir(marks.path)).toEqual([]);
  });

  it.each(['fsmonitor', 'external diff', 'textconv', 'clean filter', 'filter with an odd name'])(
    'contains a trap that works: %s',
    async (name) => {
      await using repository = await hostile();
      await using marks = await TemporaryWorkspace.create();
      for (const [key, value] of traps[name]!(marks.at('mark'))) repository.git('config', key, value);
      repository.git('diff');
      expect(await readdir(marks.path)).toEqual(['mark']);
    },
  );

  it('does not run its hooks', async () => {
    await using repository = await hostile();
    await using marks = await TemporaryWorkspace.create();
    await repository.files.write('.git/hooks/post-index-change', `#!/bin/sh\ntouch '${marks.at('mark')}'\n`);
    await chmod(repository.files.at('.git/hooks/post-index-change'), 0o755);
    // Another time with the same content, so that git tries to record that nothing changed.
    await repository.files.write('a.txt', 'a\n');
    await utimes(repository.files.at('a.txt'), 0, 0);
    await diff([repository.path]);
    expect(await readdir(marks.path)).toEqual([]);
  });

  it('does not look into its submodules', async () => {
    await using repository = await hostile();
    await using marks = await TemporaryWorkspace.create();
    await using inner = await Repository.create({ 'i.txt': 'i\n' });
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'inner');
    repository.commit();
    await repository.files.write('inner/i.txt', 'j\n');
    repository.git('-C', 'inner', 'config', 'filter.trap.clean', `touch ${marks.at('mark')}; cat`);
    await repository.files.write('.git/modules/inner/info/attributes', '* filter=trap\n');
    expect((await diff([repository.path])).isError).toBe(false);
    expect(await readdir(marks.path)).toEqual([]);
  });

  it('does not fetch missing objects', async () => {
    await using repository = await hostile();
    await using marks = await TemporaryWorkspace.create();
    for (const [key, value] of [
      ['remote.origin.url', `ext::sh -c touch% ${marks.at('mark')}`],
      ['remote.origin.promisor', 'true'],
      ['protocol.ext.allow', 'always'],
      ['extensions.partialClone', 'origin'],
    ] as const) {
      repository.git('config', key, value);
    }
    const blob = repository.git('rev-parse', 'HEAD:a.txt').trim();
    await rm(repository.files.at(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`), { force: true });
    const { isError } = await diff([repository.path]);
    expect(isError).toBe(true);
    expect(await readdir(marks.path)).toEqual([]);
  });
});
