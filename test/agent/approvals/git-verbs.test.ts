import { describe, expect, it } from 'vitest';
import { gitVerb } from '../../../src/agent/approvals/git-verbs.ts';
import { parseWords } from '../../../src/agent/approvals/option-grammar.ts';

/** True if a git command may be allowed word for word, as far as its options tell. */
function mayBeAllowed(line: string): boolean {
  const verb = gitVerb(line.split(' '));
  return verb !== undefined && parseWords(verb.grammar, verb.rest) !== undefined;
}

describe('a git command that may be allowed word for word', () => {
  it.each([
    'branch -D topic',
    'branch --set-upstream-to=origin/main',
    'cherry-pick -x abc1234',
    'cherry-pick --continue',
    'commit --amend --no-edit',
    'commit -m x src/a.ts',
    'commit --fixup=HEAD~1 -n',
    'fetch --all --prune --dry-run',
    'fetch origin main',
    'init -q -b main',
    'init sub',
    'ls-remote --tags origin',
    'merge --no-ff -m x topic',
    'mv a.ts b.ts',
    'mv -f -k a.ts b.ts',
    'pull --rebase --autostash',
    'pull --rebase=merges origin main',
    'revert --no-commit HEAD',
    'rm --cached a.ts',
    'stash',
    'stash -u',
    'stash apply stash@{0}',
    'stash apply --index',
    'stash drop -q stash@{1}',
    'stash pop --index',
    'stash pop stash@{1}',
    'stash push -m x a.ts',
    'switch -c topic',
    'switch main',
    'tag -a v1 -m x',
    'version',
  ])('is git %s', (line) => {
    expect(mayBeAllowed(line)).toBe(true);
  });

  it.each([
    ['shows or runs anything', 'config --list'],
    ['is unknown', 'frobnicate'],
    ['has a name that every object has', 'constructor'],
    ['has no name', ''],
    ['names a program', 'fetch --upload-pack=./x origin'],
    ['opens an editor with any program', 'commit --edit'],
    ['reads a template', 'init --template=./x'],
    ['moves nothing', 'mv'],
    ['shows the text of a stash', 'stash show -p'],
    ['has an operand too many', 'stash x'],
    ['verifies with another program', 'tag -v v1'],
  ])('does not include one that %s: git %s', (_what, line) => {
    expect(mayBeAllowed(line)).toBe(false);
  });
});

describe('gitVerb', () => {
  it('leaves the words after the name, which may have two parts', () => {
    expect(gitVerb(['stash', 'drop', 'stash@{1}'])?.rest).toEqual(['stash@{1}']);
    expect(gitVerb(['stash', '-u'])?.rest).toEqual(['-u']);
    expect(gitVerb(['fetch', 'origin'])?.rest).toEqual(['origin']);
    expect(gitVerb([])).toBeUndefined();
  });
});
