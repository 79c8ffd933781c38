import { afterAll, describe, expect, it } from 'vitest';
import { coverageOfCommand, inDirectory, usedBy } from '../../../src/agent/approvals/command-coverage.ts';
import { CommandPlace } from '../../../src/agent/approvals/command-place.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const files = await TemporaryWorkspace.create({
  'src/a.ts': 'a',
  'scripts/build.cmd': '',
  'sub/npm.cmd': '',
  'sub/b.ts': '',
  'my folder/c.ts': '',
  'tools/run.sh': '',
  '.env': 'secret',
  'node_modules/.bin/vitest': '',
});
afterAll(() => files[Symbol.asyncDispose]());
const root = { name: 'w', path: files.path };
const place = new CommandPlace(files.path, [root], 'posix');
const windows = new CommandPlace(files.path, [root], 'windows');

const onWindows = (command: string) => coverageOfCommand(command, 'windows', windows);
const onPosix = (command: string) => coverageOfCommand(command, 'posix', place);

describe('coverageOfCommand on Windows', () => {
  it.each([
    ['git status', 'git status'],
    ['git log --oneline -5', 'git log'],
    ['npm test', 'npm test'],
    ['cd sub && git status', 'cd sub && git status'],
    ['npm run build && npm test', 'npm run build && npm test'],
    ['node scripts\\a.js', 'node scripts\\a.js'],
    ['scripts\\build --fast', 'scripts\\build --fast'],
    ['.\\gradlew.bat test', '.\\gradlew.bat test'],
    ['node_modules\\.bin\\vitest', 'node_modules\\.bin\\vitest'],
  ])('offers for %s the rule %s', (command, pattern) => {
    expect(onWindows(command).rule).toEqual({ kind: 'command', pattern, shell: 'windows' });
  });

  it.each([
    ['find and sort, which are other programs', 'find . -name a'],
    ['sort, which is another program', 'sort src\\a.ts'],
    ['variables', 'CI=1 npm test'],
    ['a folder that cmd reads as a command', 'rd\\x y'],
    ['a slash after a program', 'rd/s x'],
    ['npx, which is not searched in the workspace', 'npx vitest'],
    ['a program that the directory shadows', 'cd sub && npm test'],
    ['a path outside', 'type ..\\x'],
  ])('offers no rule for %s', (_what, command) => {
    expect(onWindows(command).rule).toBeUndefined();
    expect(onWindows(command).patterns).toEqual([]);
  });

  it('needs no rule for echo, but one for what needs none elsewhere', () => {
    expect(onWindows('npm test && echo done').patterns).toEqual(['npm test']);
    expect(onPosix('npm test && true').patterns).toEqual(['npm test']);
    expect(onWindows('npm test && true').rule).toBeUndefined();
  });
});

describe('the patterns of a command line', () => {
  it('are each program once, and the rule is the whole line if there are several', () => {
    expect(onPosix('npm test && npm run lint; npm test | head -3')).toEqual({
      patterns: ['npm test', 'npm run lint'],
      rule: {
        kind: 'command',
        pattern: 'npm test && npm run lint; npm test | head -3',
        shell: 'posix',
      },
    });
  });

  it('are absent for a line that only prints; its rule is the line', () => {
    expect(onPosix('echo a || true')).toMatchObject({ patterns: [], rule: { pattern: 'echo a || true' } });
  });

  it('begin with the directory, quoted if necessary', () => {
    expect(onPosix("cd 'my folder' && git log -3").patterns).toEqual(["cd 'my folder' && git log"]);
    expect(onPosix("cd 'my folder' && git log -3").rule?.pattern).toBe("cd 'my folder' && git log");
  });

  it('are absent if the directory is an option, empty or uncertain', () => {
    for (const command of ["cd '' && npm test", 'cd -P && npm test', 'cd src sub && npm test', 'cd src'])
      expect([command, onPosix(command).rule]).toEqual([command, undefined]);
    expect(onPosix('cd src || npm test').rule).toBeUndefined();
  });

  it('quote words that the shell would read otherwise', () => {
    expect(onPosix("pytest -k 'a b' && CI=1 npm test").rule?.pattern).toBe(
      "pytest -k 'a b' && CI=1 npm test",
    );
  });
});

describe('a command without a known directory', () => {
  const anywhere = (command: string) => coverageOfCommand(command, 'posix', undefined).rule?.pattern;

  it('has the same rules, without a look at the files', () => {
    expect(anywhere('git log -5')).toBe('git log');
    expect(anywhere('cat any/file.ts')).toBe('cat');
    expect(anywhere('cd any && npm test')).toBe('cd any && npm test');
    expect(anywhere('make -C/sub')).toBe('make -C/sub');
    expect(anywhere('npx any')).toBeUndefined();
    expect(anywhere('node scripts/x.js')).toBe('node scripts/x.js');
  });

  it.each(['cd - && npm test', 'cat .env', 'make -C ../x', 'make -C ~/x', 'make //server/x', 'make C:/x'])(
    'has none for %s',
    (command) => {
      expect(anywhere(command)).toBeUndefined();
    },
  );
});

describe('the exact words of a command', () => {
  it.each([
    'NO_COLOR=1 TZ=UTC npm test',
    './tools/run.sh --fast',
    'tools/run.sh',
    'npx vitest run src',
    'git fetch origin',
    'git --no-pager stash pop',
    'node --test',
    'eslint src,sub',
    'tsc -p src/a.ts',
    'npm test -- --grep=lock',
    'git stash',
    'php tools',
    'tools/run.sh a@b a-',
  ])('may be allowed: %s', (command) => {
    expect(onPosix(command).rule?.pattern).toBe(command);
  });

  it.each([
    ['a variable that loads code', 'NODE_OPTIONS=x npm test'],
    ['only variables', 'CI=1'],
    ['a value of a variable with a path', 'LANG=../x npm test'],
    ['a program outside', '../run.sh'],
    ['an absolute program', '/usr/bin/make'],
    ['a program of the home folder', '~/run.sh'],
    ['an address', 'eslint https://x/y'],
    ['an address after an option', 'npm view x --reg=https://x'],
    ['an address of a host', 'rake me@host:x'],
    ['a share', 'eslint //server/x'],
    ['code in an address', 'node data:text/javascript,1'],
    ['standard input as code', 'eslint -'],
    ['standard input as a value', 'eslint --config=-'],
    ['a secret', 'eslint .env'],
    ['a secret in a list', 'eslint src,.env'],
    ['a secret after a letter', 'make -C.env'],
    ['a secret after an at sign', 'gcc @.env'],
    ['a path outside after an at sign', 'gcc @/etc/x'],
    ['a path outside after an equal sign', 'make X=/etc/x'],
    ['a file of git with secrets', 'git rm .env'],
    ['a command of git that is not known', 'git bisect start'],
    ['a program of npx that is not installed', 'npx eslint .'],
    ['cd alone', 'cd src'],
    ['a missing script', 'php none'],
  ])('may not be allowed with %s: %s', (_what, command) => {
    expect(onPosix(command).rule).toBeUndefined();
  });
});

describe('an argument of a script', () => {
  it.each([
    'me@host:x',
    '--to=me@host:x',
    'file://x',
    '//server/x',
    String.raw`\\server\x`,
    'data:text/javascript,1',
    '-',
    '-f-',
    '--config=-',
    '@.env',
    '--list=src,@.env',
    '-f.env',
    '--a=b=~/x',
    '../x',
  ])('makes its command one that the user always reviews: %s', (word) => {
    expect(coverageOfCommand(`tools/run.sh '${word}'`, 'posix', place).rule).toBeUndefined();
    expect(coverageOfCommand(`tools/run.sh '${word}'`, 'posix', undefined).rule).toBeUndefined();
  });
});

describe('git add', () => {
  it('may add all files only at the top of the repository', async () => {
    await using repository = await TemporaryWorkspace.create({ '.git/config': '', 'sub/b.ts': '' });
    const top = new CommandPlace(repository.path, [{ name: 'w', path: repository.path }], 'posix');
    const offered = (command: string) => coverageOfCommand(command, 'posix', top).rule?.pattern;
    expect(offered('git add -A')).toBe('git add');
    expect(offered('cd sub && git add -A')).toBeUndefined();
    expect(offered('cd sub && git add -v b.ts')).toBe('cd sub && git add');
  });
});

describe('inDirectory', () => {
  it('quotes a directory for the shell', () => {
    expect(inDirectory('sub', 'ls', 'posix')).toBe('cd sub && ls');
    expect(inDirectory("it's here", 'ls', 'posix')).toBe(`cd 'it'"'"'s here' && ls`);
    expect(inDirectory('a b', 'ls', 'windows')).toBe('cd a b && ls');
  });
});

describe('usedBy', () => {
  it('finds the program of a pattern, in any directory', () => {
    for (const pattern of ['git log', 'cd sub && git log', "cd 'my folder' && git log"])
      expect(usedBy(pattern), pattern).toBeDefined();
    for (const pattern of ['npm test', 'git log -5', 'cd a b && git log', 'x cd sub && git log'])
      expect(usedBy(pattern), pattern).toBeUndefined();
  });
});
