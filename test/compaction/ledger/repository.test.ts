import { describe, expect, it } from 'vitest';
import { repositoryAfter } from '../../../src/compaction/ledger/repository.ts';
import type { RepositoryState } from '../../../src/compaction/messages/where-it-stands.ts';

const at = { calls: 1, edits: 0 };

/** The repository after command lines, each with its output. */
function after(...runs: readonly (readonly [script: string, output: string])[]): RepositoryState | undefined {
  return runs.reduce<RepositoryState | undefined>(
    (known, [script, output]) =>
      repositoryAfter(known, { script, folder: undefined, end: 'ran', status: undefined, output }, at),
    undefined,
  );
}

describe('the state of the repository', () => {
  it('includes the branch and the files of a status in every form', () => {
    const both = { branch: 'main', uncommitted: { files: ['src/a.ts', 'b c.md'], at } };
    expect(after(['git status -sb', '## main...origin/main [ahead 1]\n M src/a.ts\n?? b c.md'])).toEqual(
      both,
    );
    expect(
      after([
        'git status',
        'On branch main\nChanges not staged for commit:\n  (use "git add <file>...")\n\tmodified:   src/a.ts\n\nUntracked files:\n  (use "git add <file>...")\n\tb c.md\n',
      ]),
    ).toEqual(both);
    expect(after(['git status --short', ''])).toEqual({ uncommitted: { files: [], at } });
  });

  it('is unknown in a temporary folder', () => {
    const own = ['git status -sb', '## main'] as const;
    expect(after(own, ['cd /tmp/trial && git status -sb', '## trial'])).toEqual(after(own));
  });

  it('stays the same if a command only reads another repository', () => {
    const own = ['git status -sb', '## main'] as const;
    expect(after(own, ['git -C ../other status -sb', '## trial'])).toEqual(after(own));
    expect(after(own, ['git -C ../other commit -m x', '[trial abc1234] x'])).toMatchObject({
      folder: '../other',
      branch: 'trial',
    });
  });

  it('loses the last commit if another program switched the branch', () => {
    const committed = ['git commit -m x', '[one abcdef1] Mend it'] as const;
    expect(after(committed, ['git branch --show-current', 'two'])).toEqual({ branch: 'two' });
    expect(after(committed, ['git checkout -b two', "Switched to a new branch 'two'"])).toMatchObject({
      commit: { hash: 'abcdef1' },
    });
  });

  it('ignores the files of a partial or cut-off status', () => {
    expect(after(['git status --short src', ' M src/a.ts'])).toEqual({});
    expect(after(['git status --short | head -1', ' M src/a.ts'])).toEqual({});
  });

  it('includes the newest commit, and then no uncommitted files', () => {
    expect(
      after(
        ['git status --short', ' M a'],
        [
          'git commit -am x && git push',
          '[main abc1234] Say it\n 1 file changed\nTo x\n   def5678..abc1234  main -> main',
        ],
      ),
    ).toEqual({
      branch: 'main',
      commit: { hash: 'abc1234', subject: 'Say it', at },
      push: { ref: 'main' },
    });
    expect(after(['git log --oneline -2', 'abc1234 (HEAD -> fix) Say it\ndef5678 Earlier'])).toEqual({
      branch: 'fix',
      commit: { hash: 'abc1234', subject: 'Say it', at },
    });
  });

  it('omits the commit after a rebase or a commit without output', () => {
    const log = ['git log --oneline -1', 'abc1234 Say it'] as const;
    expect(after(log, ['git commit -qam x', ''])).toEqual({});
    expect(after(log, ['git rebase main', 'Current branch is up to date.'])).toEqual({});
  });

  it('includes the new branch after a switch', () => {
    expect(after(['git checkout -b fix', "Switched to a new branch 'fix'"])).toEqual({ branch: 'fix' });
    expect(after(['git branch --show-current && echo --', 'fix\n--'])).toEqual({ branch: 'fix' });
  });

  it('includes a rejected push', () => {
    expect(after(['git push', 'To x\n ! [rejected]        main -> main (fetch first)'])?.push).toEqual({
      ref: 'main',
      isRejected: true,
    });
  });

  it('starts again if the folder changes', () => {
    expect(after(['git branch --show-current', 'fix'], ['cd /app/x && git status -s', ' M a'])).toEqual({
      folder: '/app/x',
      uncommitted: { files: ['a'], at },
    });
  });

  it('ignores text that other programs print', () => {
    expect(after(['cat notes && git diff', 'On branch main\n[main abc1234] x'])).toBeUndefined();
    expect(after(['cat notes && git branch --show-current', 'main'])).toBeUndefined();
  });

  it('includes a different commit that was shown later', () => {
    const made = ['git commit -m x', '[main abc1234] x'] as const;
    expect(after(made, ['git show --stat def5678', 'def5678 y'])?.commit).toMatchObject({
      hash: 'abc1234',
      newer: 'def5678',
    });
    expect(after(made, ['git show abc1234', 'abc1234 x'])?.commit).not.toHaveProperty('newer');
  });
});
