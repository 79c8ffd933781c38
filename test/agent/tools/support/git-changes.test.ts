import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../../../../src/agent/files/workspace.ts';
import { gitChanges } from '../../../../src/agent/tools/support/git-changes.ts';
import { TemporaryWorkspace } from '../temporary-workspace.ts';
import { hasGit } from '../../../support/installed-git.ts';

const signal = new AbortController().signal;
/** Environment without the Git settings of the user who runs the tests. */
const environment = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

function git(folder: string, ...commandLine: readonly string[]): void {
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  execFileSync('git', [...author, ...commandLine], { cwd: folder, env: environment, stdio: 'ignore' });
}

const ask = (files: TemporaryWorkspace, named: readonly string[] = []) =>
  gitChanges(new Workspace([files.path]), named, environment, signal);

describe.skipIf(!hasGit)('the changes that git reports', () => {
  it('are empty without a repository', async () => {
    await using files = await TemporaryWorkspace.create({ 'a.ts': '1' });
    expect(await ask(files)).toBeUndefined();
  });

  it('are all files before the first commit', async () => {
    await using files = await TemporaryWorkspace.create({ 'a.ts': '1' });
    git(files.path, 'init', '--quiet');
    expect(await ask(files)).toEqual([{ path: 'a.ts', state: 'new' }]);
  });

  it('are modified, deleted and new files, under the given names', async () => {
    await using files = await TemporaryWorkspace.create({ 'a.ts': '1', 'b.ts': '2', 'c.ts': '3' });
    git(files.path, 'init', '--quiet');
    git(files.path, 'add', '--all');
    git(files.path, 'commit', '--quiet', '--message=A commit');
    expect(await ask(files)).toEqual([]);
    await files.write('a.ts', 'other');
    await files.write('src/new one.ts', 'new');
    git(files.path, 'rm', '--quiet', 'b.ts');
    const absolute = join(files.path, 'a.ts');
    expect(await ask(files, [absolute, 'gone.ts', '/outside.ts'])).toEqual([
      { path: absolute, state: 'modified' },
      { path: 'b.ts', state: 'deleted' },
      { path: 'src/new one.ts', state: 'new' },
    ]);
  });
});
