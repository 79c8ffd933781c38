import { expect, it } from 'vitest';
import { normalisedPath } from '../../../src/compaction/text/file-path.ts';

it.each([
  ['src/lock.ts', 'src/lock.ts'],
  ['./src//lock.ts', 'src/lock.ts'],
  [' src/lock.ts', 'src/lock.ts'],
  ['src\\a\\..\\lock.ts', 'src/lock.ts'],
  ['../src/./lock.ts', '../src/lock.ts'],
  ['../../a', '../../a'],
  ['a/../../b', '../b'],
  ['/projects/../etc/', '/etc'],
  ['/../etc', '/etc'],
  ['/', '/'],
  ['./', '.'],
  ['C:\\projects\\a.ts', 'C:/projects/a.ts'],
  ['c:\\projects\\.\\a.ts', 'C:/projects/a.ts'],
  ['c:/projects/x/../a.ts', 'C:/projects/a.ts'],
  ['C:\\..\\a.ts', 'C:/a.ts'],
  ['C:\\', 'C:/'],
  ['\\\\server\\share\\a.ts', '//server/share/a.ts'],
  ['\\\\server\\share\\x\\..\\a.ts', '//server/share/a.ts'],
])('normalisedPath returns one form for %s', (path, expected) => {
  expect(normalisedPath(path)).toBe(expected);
  expect(normalisedPath(expected)).toBe(expected);
});
