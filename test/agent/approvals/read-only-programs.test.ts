import { describe, expect, it } from 'vitest';
import { parseWords } from '../../../src/agent/approvals/option-grammar.ts';
import { useNamed, useOf } from '../../../src/agent/approvals/read-only-programs.ts';

/** The name of the rule whose grammar accepts a command, as far as its options and number of operands tell. */
function ruleFor(line: string): string | undefined {
  const use = useOf(line.split(' '));
  return use !== undefined && parseWords(use.grammar, use.rest) !== undefined ? use.name : undefined;
}

describe('useOf', () => {
  it.each([
    ['git status', '-sb --porcelain=v2 --untracked-files=all src', '--config-env=x'],
    ['git log', '--oneline -5 --author=me --stat=80 -p main', '--ext-diff'],
    ['git show', '--name-only -M50 --format=%s HEAD', '--textconv'],
    ['git diff', '--staged -U3 --word-diff=color HEAD~1', '--output=x'],
    ['git shortlog', '-sn --since=2020 main', '--group=x'],
    ['git describe', '--tags --abbrev=7 HEAD', '--contains'],
    ['git rev-parse', '--abbrev-ref HEAD', '--parseopt'],
    ['git rev-list', '--count --all main', '--disk-usage'],
    ['git ls-files', '-o --exclude-standard src', '-X x'],
    ['git ls-tree', '-r --name-only HEAD src', '--format=x HEAD'],
    ['git blame', '-L 1,5 -w src/a.ts', '--contents x'],
    ['git branch', '-a --show-current', '-D main'],
    ['git grep', '-n -A 3 text HEAD', '-O text'],
    ['git add', '-A -n src', '-p'],
    ['git commit', '-q -m x --signoff', '--amend'],
    ['git commit -a', '-a -m x src', '-F x'],
    ['cat', '-n a', '--files'],
    ['diff', '-u a b', '--to-file=x a b'],
    ['du', '-sh --max-depth=1 src', '--files0-from=x'],
    ['file', '-b a', '-f x'],
    ['find', 'src -name x -maxdepth 2 -not -empty', 'src -delete'],
    ['grep', '-rn --include=x -m 5 text src', '-f x'],
    ['head', '-20 a', '-x a'],
    ['ls', '-la --sort=time src', '--hyperlink'],
    ['md5sum', '-b a', '-c a'],
    ['nl', '-b a a', '--x a'],
    ['pwd', '-P', '-x'],
    ['readlink', '-f a', '-x a'],
    ['realpath', 'a', '--x a'],
    ['rg', '-n -g x --type=ts -A 3 text src', '--pre x text'],
    ['rg --files', '--hidden -g x src', '--follow'],
    ['sed', '-n 1,5p a', '-i 1p a'],
    ['sha256sum', '-b a', '-c a'],
    ['sort', '-rn a', '-o x a'],
    ['stat', '-L a', '--printf=x a'],
    ['tail', '-n 5 a', '-f a'],
    ['tree', '-L 2 -I x src', '-o x'],
    ['uniq', '-c a', 'a b'],
    ['wc', '-l a', '--files0-from=x'],
  ])('finds the rule %s with its harmless words %s, and without %s', (name, harmless, other) => {
    const program = name === 'git commit -a' ? 'git commit' : name;
    expect(ruleFor(`${program} ${harmless}`)).toBe(name);
    expect(ruleFor(`${program} ${other}`)).toBeUndefined();
  });

  it.each(['git push', 'git', 'npm test', 'constructor', 'git constructor', ''])(
    'finds none for %j',
    (line) => {
      expect(useOf(line.split(' '))).toBeUndefined();
    },
  );

  it('skips options of git that only change the look of the output', () => {
    expect(useOf(['git', '--no-pager', '-P', '--no-optional-locks', 'log', '-5'])).toMatchObject({
      name: 'git log',
      rest: ['-5'],
    });
    expect(useOf(['git', '-C', 'sub', 'log'])).toBeUndefined();
    expect(useOf(['cat', '--no-pager', 'a'])).toMatchObject({ name: 'cat', rest: ['--no-pager', 'a'] });
  });

  it('has a separate rule for a commit of all changes or of paths', () => {
    expect(useOf(['git', 'commit', '-m', 'x'])?.name).toBe('git commit');
    expect(useOf(['git', 'commit', '-m', 'x', 'a.ts'])?.name).toBe('git commit -a');
  });

  it('names the commands that change the records of git', () => {
    const recording = ['git add', 'git commit', 'git commit -a', 'git status', 'cat'].filter(
      (name) => useNamed(name)?.records === true,
    );
    expect(recording).toEqual(['git add', 'git commit', 'git commit -a']);
    expect(useOf(['git', 'commit', '-a'])?.records).toBe(true);
  });
});

describe('useNamed', () => {
  it('finds a rule by its exact name', () => {
    expect(useNamed('git log')).toBeDefined();
    expect(useNamed('git log -5')).toBeUndefined();
    expect(useNamed('constructor')).toBeUndefined();
  });
});
