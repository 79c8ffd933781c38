import { describe, expect, test } from 'vitest';
import { withoutEnd, withoutPlace } from '../../src/compaction/text-end.ts';

describe('the end of a text', () => {
  test.each([
    ['a..-', '.-', 'a'],
    ['a.b', '.-', 'a.b'],
    ['...', '.', ''],
    ['', '.', ''],
  ])('%o without %o', (text, characters, left) => {
    expect(withoutEnd(text, characters)).toBe(left);
  });

  test.each([
    ['src/x.ts', 'src/x.ts'],
    ['src/x.ts:12', 'src/x.ts'],
    ['src/x.ts:12:3:', 'src/x.ts'],
    ['src/x.ts.', 'src/x.ts'],
    ['x2', 'x2'],
    ['12', '12'],
    [':12', ''],
  ])('the place behind %o is no part of the file', (word, file) => {
    expect(withoutPlace(word)).toBe(file);
  });
});
