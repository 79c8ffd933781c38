import { describe, expect, it } from 'vitest';
import {
  filesInPatch,
  isThrowAway,
  pathOfArgument,
  pathOfText,
} from '../../../src/compaction/ledger/path-words.ts';

describe('the path in a path argument', () => {
  it.each(['src/a.ts', './src/a.ts', '/etc/hosts', 'Makefile', 'C:\\repo\\a.ts', 'docs/My notes.md', 'src'])(
    'is %j as written',
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

describe('a path argument that names no file in the project', () => {
  it.each(['HEAD:src/a.ts', 'main:cmd/x.go', 'host:/srv/a.ts', 'src/', 'src/*.ts', 'src\\'])(
    'is %j',
    (text) => {
      expect(pathOfArgument(text)).toBeUndefined();
    },
  );

  it('is used as a folder if the tool accepts folders', () => {
    expect(pathOfArgument('/home/me/app', true)).toBeUndefined();
    expect(pathOfArgument('src/a.ts', true)).toBe('src/a.ts');
    expect(pathOfArgument('Makefile', true)).toBe('Makefile');
  });

  it('is read without a position after the path', () => {
    expect(pathOfArgument('src/a.ts:12:3')).toBe('src/a.ts');
    expect(pathOfArgument('C:\\app\\a.ts:12')).toBe('C:\\app\\a.ts');
    expect(pathOfArgument('file:///c%3A/my%20app/a.ts')).toBe('C:/my app/a.ts');
  });
});

describe('an argument with another name', () => {
  it('is a path only if the whole argument is a path', () => {
    expect(pathOfText('src/a.ts')).toBe('src/a.ts');
    expect(pathOfText('see src/a.ts')).toBeUndefined();
    expect(pathOfText('feature/test-session')).toBeUndefined();
    expect(pathOfText('os.Args')).toBeUndefined();
  });
});

describe('the files of a patch', () => {
  it('are the files in the headers, with their changes, not files named in other lines', () => {
    const patch =
      '*** Begin Patch\n*** Update File: src/a.go\n-\tos.Args\n+\tc.matches // see other.go\n*** Move to: src/b.go\n*** Add File: c.go\n*** Delete File: d.go\n*** Update File: e.go\n';
    expect(filesInPatch(patch)).toEqual([
      { path: 'src/a.go', what: 'deleted' },
      { path: 'src/b.go', what: 'written' },
      { path: 'c.go', what: 'created' },
      { path: 'd.go', what: 'deleted' },
      { path: 'e.go', what: 'edited' },
    ]);
    expect(
      filesInPatch('--- a/x.c\n+++ b/x.c\n@@\n--- /dev/null\n+++ b/y.c\n@@\n--- a/z.c\n+++ /dev/null\n'),
    ).toEqual([
      { path: 'x.c', what: 'edited' },
      { path: 'y.c', what: 'created' },
      { path: 'z.c', what: 'deleted' },
    ]);
  });
});

describe('a temporary place', () => {
  it.each([
    '/tmp',
    '/tmp/a.ts',
    '/private/tmp/a',
    '/var/folders/x/y',
    '$S/a.py',
    '${TMPDIR}/a',
    'a/scratchpad/b',
  ])('is %s', (path) => {
    expect(isThrowAway(path)).toBe(true);
  });

  it.each(['tmp/a.ts', '/app/tmp/a.ts', '/tmpl', '$SRC/a.ts', 'src/scratchpad.ts'])('is not %s', (path) => {
    expect(isThrowAway(path)).toBe(false);
  });
});
