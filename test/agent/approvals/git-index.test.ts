import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { trackedPaths } from '../../../src/agent/approvals/git-index.ts';
import { hasGit } from '../../support/installed-git.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const names = ['a', 'src/a.ts', 'src/ab.ts', `src/${'x'.repeat(200)}/y`, 'z.md', 'äöü/b c.ts'];

async function repository() {
  const files = await TemporaryWorkspace.create(Object.fromEntries(names.map((name) => [name, name])));
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
      cwd: files.path,
      stdio: 'pipe',
    });
  git('init', '--quiet');
  git('add', '.');
  return { files, git, index: files.at('.git/index') };
}

describe.skipIf(!hasGit)('trackedPaths', () => {
  it.each(['2', '4'])('reads an index of version %s', async (version) => {
    const { files, git, index } = await repository();
    await using _files = files;
    git('update-index', '--index-version', version);
    expect(trackedPaths(index)).toEqual(names);
    git('commit', '--quiet', '--message=x');
    git('add', '--intent-to-add', '.');
    git('rm', '--quiet', '--cached', 'a');
    expect(trackedPaths(index)).toEqual(names.slice(1));
    git('update-index', '--skip-worktree', 'src/a.ts');
    expect(trackedPaths(index)).toEqual(names.slice(1));
  });

  it('does not follow the references of a split index', async () => {
    const { files, git, index } = await repository();
    await using _files = files;
    git('update-index', '--split-index');
    expect(trackedPaths(index)).toBeUndefined();
  });

  it('does not read the files of a submodule', async () => {
    const { files, git, index } = await repository();
    await using _files = files;
    git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
    expect(trackedPaths(index)).toBeUndefined();
  });

  it('rejects an index that is missing, truncated or changed in one bit', async () => {
    const { files, index } = await repository();
    await using _files = files;
    const whole = await readFile(index);
    for (let at = 0; at < whole.length; at += 7) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1;
      await writeFile(index, at % 2 === 0 ? damaged : whole.subarray(0, at));
      expect(trackedPaths(index)).toBeUndefined();
    }
    expect(trackedPaths(files.at('none'))).toBeUndefined();
  });
});
