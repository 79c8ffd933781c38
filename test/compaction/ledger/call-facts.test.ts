import { describe, expect, it } from 'vitest';
import {
  factsOfCall,
  namesSearched,
  pathOfArgument,
  pathOfText,
  pathsInCommand,
  pathsInPatch,
} from '../../../src/compaction/ledger/call-facts.ts';

describe('the path of a path argument', () => {
  it.each(['src/a.ts', './src/a.ts', '/etc/hosts', 'Makefile', 'C:\\repo\\a.ts', 'docs/My notes.md', 'src'])(
    'is %j as it was written',
    (path) => {
      expect(pathOfArgument(path)).toBe(path);
    },
  );

  it.each(['', '.', '**/*.ts', 'https://example.com/a.ts', 'a sentence of prose', '-r', 'two\nlines.ts'])(
    'is not %j',
    (text) => {
      expect(pathOfArgument(text)).toBeUndefined();
    },
  );
});

describe('a path argument that names no file of the folder', () => {
  it.each(['HEAD:src/a.ts', 'main:cmd/x.go', 'host:/srv/a.ts', 'src/', 'src/*.ts', 'src\\'])(
    'is %j',
    (text) => {
      expect(pathOfArgument(text)).toBeUndefined();
    },
  );

  it('is a folder, for a tool that takes folders', () => {
    expect(pathOfArgument('/home/me/app', true)).toBeUndefined();
    expect(pathOfArgument('src/a.ts', true)).toBe('src/a.ts');
    expect(pathOfArgument('Makefile', true)).toBe('Makefile');
  });

  it('is a path without the position in the file', () => {
    expect(pathOfArgument('src/a.ts:12:3')).toBe('src/a.ts');
    expect(pathOfArgument('C:\\app\\a.ts:12')).toBe('C:\\app\\a.ts');
    expect(pathOfArgument('file:///c%3A/my%20app/a.ts')).toBe('C:/my app/a.ts');
  });
});

describe('an argument of another name', () => {
  it('is a path only as a whole', () => {
    expect(pathOfText('src/a.ts')).toBe('src/a.ts');
    expect(pathOfText('see src/a.ts')).toBeUndefined();
    expect(pathOfText('feature/test-session')).toBeUndefined();
    expect(pathOfText('os.Args')).toBeUndefined();
  });
});

describe('the files that a command line names', () => {
  it.each([
    ["sed -n '1,20p' src/deep/file.rs | head", ['src/deep/file.rs']],
    ['go test ./pkg/scan/... -run TestScan', []],
    ['cat a.ts b.py', ['a.ts', 'b.py']],
    ['git show HEAD:src/a.ts main:b.go origin/main:c.go', []],
    ['for name in a b; do cat $name.ts src/$name/x.ts; done', []],
    ['cat $HOME/app/a.ts', ['$HOME/app/a.ts']],
    ['vitest run test/a.test.ts:12', ['test/a.test.ts']],
    ['rg "chunkSize/1000" -g "*.ts" src', []],
    ['git log main...HEAD && git checkout feature/login.rework', []],
    [`node -e "console.log(process.env.HOME)"`, []],
    ['echo "12 MB/s of I/O, succeeded/failed"', []],
    ['git commit -m "Mend store.ts and src/b.ts"', ['src/b.ts']],
    ['make -C build Makefile', ['Makefile']],
    [`python - <<'EOF'\nimport os.path\nopen('x/y.py')\nEOF\ncat z.py`, ['z.py']],
    ['curl https://example.com/install.sh', []],
  ])('in %j are %j', (command, files) => {
    expect(pathsInCommand(command)).toEqual(files);
  });
});

describe('the files of a patch', () => {
  it('are those of its headers, and not those its lines speak of', () => {
    const patch =
      '*** Begin Patch\n*** Update File: src/a.go\n-\tos.Args\n+\tc.matches // see other.go\n*** Move to: src/b.go\n';
    expect(pathsInPatch(patch)).toEqual(['src/a.go', 'src/b.go']);
    expect(pathsInPatch('--- a/x.c\n+++ b/x.c\n')).toEqual(['x.c']);
  });
});

describe('the names that a search is about', () => {
  it.each([
    ['openStore', ['openStore']],
    ['id', ['id']],
    ['锁', ['锁']],
    ['strategy.SaveContext', ['strategy.SaveContext']],
    ['Store::open', ['Store::open']],
    ['os\\.Getwd\\(\\)', ['os.Getwd']],
    ['\\bcreateBlob\\w+', ['createBlob']],
    ['func AbsPath', ['AbsPath']],
    ['read_file|writeFile', ['read_file', 'writeFile']],
    ['SaveContext\\{', ['SaveContext']],
    ['**/*.md', []],
    ['.cursor*', []],
    ['src/**/store.ts', []],
    ['how does the lock of the store work?', []],
    ['e.g. a lock', []],
    ['^\\s*$', []],
    ['', []],
  ])('in %j are %j', (text, names) => {
    expect(namesSearched(text)).toEqual(names);
  });

  it('stand apart from the words of the search, and from ids', () => {
    const call = (input: object) =>
      factsOfCall({
        id: 'c',
        type: 'function',
        function: { name: 'grep', arguments: JSON.stringify(input) },
      });
    expect(call({ pattern: 'os\\.Stat\\(', path: 'a.go' })).toMatchObject({
      filesRead: ['a.go'],
      identifiers: ['os.Stat'],
      searched: ['os\\.Stat\\('],
    });
    expect(call({ reservation_id: 'X 1' })).toMatchObject({ identifiers: ['X 1'], searched: [] });
  });
});
