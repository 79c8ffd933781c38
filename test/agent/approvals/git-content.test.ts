import { execFileSync } from 'node:child_process';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { coverageOfCommand } from '../../../src/agent/approvals/command-coverage.ts';
import { CommandPlace } from '../../../src/agent/approvals/command-place.ts';
import { isCommandCovered, ruleForCommand } from './covered.ts';
import { hasGit } from '../../support/installed-git.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const verbs = ['git status', 'git log', 'git show', 'git diff', 'git grep', 'git blame'];
const secret = 'canary-7f3a';

/** A repository whose history has a file of secrets, and whose index may have it, too. */
class Repository {
  readonly files: TemporaryWorkspace;
  private readonly place: CommandPlace;

  static async create(isTracked: boolean): Promise<Repository> {
    const files = await TemporaryWorkspace.create({ '.env': secret, 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' });
    const repository = new Repository(files);
    repository.git('init', '--quiet', '--initial-branch=main');
    repository.git('add', '.');
    repository.git('commit', '--quiet', '--message=one');
    repository.git('branch', 'keys');
    if (!isTracked) {
      repository.git('rm', '--quiet', '.env');
      repository.git('commit', '--quiet', '--message=two');
    } else await files.write('.env', `${secret}\nmore`);
    await files.write('src/a.ts', 'a\na\n');
    return repository;
  }

  private constructor(files: TemporaryWorkspace) {
    this.files = files;
    this.place = new CommandPlace(files.path, [{ name: 'w', path: files.path }], 'posix');
  }

  git(...words: readonly string[]): string {
    return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
      cwd: this.files.path,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  }

  /** True if rules for all reading commands of git cover this one. */
  covers(command: string): boolean {
    return isCommandCovered(command, (pattern) => verbs.includes(pattern), 'linux', this.place);
  }

  offers(command: string): string | undefined {
    return ruleForCommand(command, 'linux', this.place)?.pattern;
  }
}

describe.skipIf(!hasGit)('rules for git', () => {
  let tracked: Repository;
  let deleted: Repository;
  beforeAll(async () => {
    tracked = await Repository.create(true);
    deleted = await Repository.create(false);
  });
  afterAll(async () => {
    await tracked.files[Symbol.asyncDispose]();
    await deleted.files[Symbol.asyncDispose]();
  });

  it.each([
    'git log -3 --stat',
    'git log --all --oneline --follow -- src/a.ts',
    'git log --name-status main..keys',
    'git log -p -- src/a.ts src/b.ts',
    'git log -p -S a src/a.ts',
    'git show --stat HEAD',
    'git show -s --format=%s',
    'git show HEAD~0 -- src/a.ts',
    'git show HEAD:src/a.ts',
    'git diff --stat',
    'git diff --name-only keys',
    'git diff --cached --numstat',
    'git diff src/a.ts',
    'git diff main..keys -- src/a.ts',
    'git grep -n a -- src/a.ts',
    'git grep a main:src/a.ts',
    'git blame src/a.ts',
    'git blame -L 1,1 main -- src/a.ts',
    'git status -sb',
  ])('cover %s, which shows no secret', (command) => {
    expect(tracked.covers(command)).toBe(true);
    const words = command.split(' ').slice(1);
    expect(tracked.git(...words)).not.toContain(secret);
  });

  it.each([
    'git log -p',
    'git log -U1',
    'git log --all --full-history -p -S KEY',
    'git log --oneline -G c.n',
    'git log -c --all',
    'git log -p -- src',
    'git log -p --follow -- src/a.ts',
    'git log -p src src/a.ts',
    'git log -p --stat',
    'git show',
    'git show HEAD~1',
    'git show --stat -p HEAD',
    'git show HEAD:src/a.ts HEAD',
    'git show :0:.env',
    'git show HEAD:',
    'git show HEAD^{/one: x}:.env',
    'git diff HEAD~3',
    'git diff --check HEAD~1',
    'git diff --staged',
    'git diff keys main',
    "git diff keys -- ':(glob)**'",
    "git diff keys -- '*'",
    'git diff -- .env src/a.ts',
    'git grep KEY HEAD',
    'git blame .env',
    'git status -v',
    'git log -p --color',
    'git log -p HEAD:src/a.ts',
    'git show HEAD:src',
    "git show 'HEAD:src/*.ts'",
    "git show '!main:src/a.ts'",
    'git show main..keys:src/a.ts',
    'git show HEAD:src/.env',
    'git diff HEAD:.env -- src/a.ts',
    "git diff '!main' -- src/a.ts",
    "git diff 'main!' -- src/a.ts",
    "git diff 'main~1!' -- src/a.ts",
    "git diff 'main@{1}!' -- src/a.ts",
    'git stash show -p',
    'git cat-file -p HEAD',
    'git archive HEAD',
    'git diff-tree -p HEAD',
    'git --no-pager reflog -p',
  ])('neither cover nor are offered for %s', (command) => {
    expect([tracked, deleted].map((each) => each.covers(command))).toEqual([false, false]);
    expect(tracked.offers(command)).toBeUndefined();
  });

  it('do not cover a stored secret that is named by its id instead of its path', () => {
    const id = tracked.git('rev-parse', 'HEAD:.env').trim();
    expect(tracked.git('show', '--stat', `x-g${id}`)).toContain(secret);
    for (const word of [id, id.slice(0, 7), `x-g${id}`, `${id}..HEAD`]) {
      expect(tracked.covers(`git show --stat ${word}`)).toBe(false);
      expect(tracked.covers(`git diff ${word} -- src/a.ts`)).toBe(false);
      expect(tracked.covers(`git grep a ${word} -- src/a.ts`)).toBe(false);
    }
    expect(tracked.covers(`git log --stat ${id}`)).toBe(true);
  });

  it.each([
    "git diff 'main@{1 day ago}' -- src/a.ts",
    "git diff 'main@{1}~10' -- src/a.ts",
    'git diff main... -- src/a.ts',
    'git diff ^keys main -- src/a.ts',
    'git diff HEAD:src/a.ts src/a.ts',
    'git diff --stat HEAD:src keys:src',
    'git show HEAD:src/deleted.ts',
    'git show 0123abcd:src/a.ts',
  ])('cover %s, whatever the repository contains', (command) => {
    expect([tracked, deleted].map((each) => each.covers(command))).toEqual([true, true]);
  });

  it('are offered for a command that shows no text of files', () => {
    expect(tracked.offers('git branch -a')).toBe('git branch');
  });

  it('are offered for text of unknown files if the directory is not known', () => {
    expect(coverageOfCommand('git log -p', 'posix', undefined).patterns).toEqual(['git log']);
  });

  it.each([
    'git diff',
    'git diff -- src',
    'git diff -- src/deleted.ts',
    "git grep -h ''",
    'git grep -c a',
    'git grep -- src/a.ts',
  ])('cover %s only if git tracks no secret', (command) => {
    expect([tracked, deleted].map((each) => each.covers(command))).toEqual([false, true]);
  });
});
