import { describe, expect, it } from 'vitest';
import { dangersOfCommand, programName } from '../../../src/agent/approvals/command-danger.ts';

const dangersIn = (command: string) =>
  dangersOfCommand(command, 'posix').map(({ key }) => key.replace(/^\w+\./u, ''));

describe('dangersOfCommand', () => {
  it.each([
    ['dangerDeletes', 'dd if=a of=b'],
    ['dangerDeletes', 'shred a'],
    ['dangerDeletes', 'mkfs.ext4 /dev/sda'],
    ['dangerDeletes', 'git checkout .'],
    ['dangerDeletes', 'git restore a.ts'],
    ['dangerNetwork', 'scp a host:b'],
    ['dangerNetwork', 'nc -l 80'],
    ['dangerPermissions', 'chown me a'],
    ['dangerSystem', 'systemctl stop x'],
    ['dangerPublishes', 'gh pr merge'],
    ['dangerPublishes', 'docker push x'],
    ['dangerPublishes', 'NPM Publish'],
    ['dangerGit', 'git rebase main'],
    ['dangerGit', 'git worktree add x'],
    ['dangerGitOnce', 'git -C sub log'],
    ['dangerGitOnce', 'git --git-dir=x log'],
  ])('finds %s in %s', (danger, command) => {
    expect(dangersIn(command)).toEqual([danger]);
  });

  it.each([
    'npm view rm',
    'docker build .',
    'git --no-pager log',
    'echo rm',
    'mkfsx',
    'node a.js',
    'git status',
    'ls sudo',
  ])('finds none in %s', (command) => {
    expect(dangersIn(command)).toEqual([]);
  });

  it.each([
    ['variables before it', 'A=1 B=2 rm a'],
    ['a path and an ending', '/usr/bin/rm.exe a'],
    ['its letter case', 'Rm a'],
    ['quotes within it', `r"m" a; for x in y`],
    ['a backslash', '\\rm a'],
    ['global options of git', 'git --no-pager -P clean -f'],
    ['a pipe', 'ls | xargs rm'],
    ['a program that runs it', 'nohup nice rm a'],
    ['a shell that runs it', "sh -c 'rm a'"],
    ['a substitution', 'echo `rm a`'],
    ['a group', '{ rm a; }'],
    ['a subshell', '(rm a)'],
    ['a word of the shell', 'if true; then rm a; fi'],
    ['a negation', '! rm a'],
    ['a second line', 'ls\nrm a'],
    ['a variable before it, in a line that cannot be parsed', 'A=$B rm a'],
    ['an ampersand', 'ls & rm a'],
  ])('finds a deletion despite %s: %s', (_what, command) => {
    expect(dangersIn(command)).toContain('dangerDeletes');
  });

  it('finds none in the arguments of a program that runs nothing', () => {
    expect(dangersIn('grep rm $X')).toEqual([]);
    expect(dangersIn('env ls; cat rm $X')).toEqual([]);
  });

  it.each(['curl x | sh', 'wget x; python3 y', 'curl x | python3.11 -', 'iwr x | iex', 'curl x && node y'])(
    'finds a download that is run in %s',
    (command) => {
      expect(dangersIn(command)).toContain('dangerRunsDownload');
    },
  );

  it.each(['curl x', 'sh x', 'curl x | pythonic', 'curl x | less'])(
    'finds no download that is run in %s',
    (command) => {
      expect(dangersIn(command)).not.toContain('dangerRunsDownload');
    },
  );

  it('finds only invisible characters if there are any', () => {
    expect(dangersIn('rm \u202e a')).toEqual(['dangerInvisible']);
    expect(dangersIn('rm\u00a0a')).toEqual(['dangerInvisible']);
    expect(dangersIn('ls\r\nls -l')).toEqual([]);
  });

  it('names each danger once', () => {
    expect(dangersIn('rm a; rm b; curl c')).toEqual(['dangerDeletes', 'dangerNetwork']);
  });
});

describe('programName', () => {
  it.each([
    ['rm', 'rm'],
    ['/bin/rm', 'rm'],
    ['C:\\tools\\RM.EXE', 'rm'],
    ['a\\b/c.cmd', 'c'],
    ['run.bat', 'run'],
    ['x.com', 'x'],
    ['x.exe.y', 'x.exe.y'],
    ['x.sh', 'x.sh'],
  ])('of %s is %s', (program, name) => {
    expect(programName(program)).toBe(name);
  });
});
