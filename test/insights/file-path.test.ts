import { describe, expect, it } from 'vitest';
import { normalisedPath } from '../../src/insights/file-path.ts';

describe('a normalised path', () => {
  it.each([
    ['src/lock.ts', 'src/lock.ts'],
    ['./src//lock.ts', 'src/lock.ts'],
    ['src\\a\\..\\lock.ts', 'src/lock.ts'],
    ['../src/./lock.ts', '../src/lock.ts'],
    ['../../a', '../../a'],
    ['/projects/../etc/', '/etc'],
    ['/../etc', '/etc'],
    ['./', '.'],
  ])('of %s is %s', (path, expected) => {
    expect(normalisedPath(path)).toBe(expected);
  });
});
