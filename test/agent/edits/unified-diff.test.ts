import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyHunks } from '../../../src/agent/edits/apply-hunks.ts';
import { readPatch } from '../../../src/agent/edits/patch.ts';
import { unifiedDiff } from '../../../src/agent/edits/unified-diff.ts';
import { textOfLines } from './texts.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}\n`);

describe('a unified diff', () => {
  it('shows a change with three lines around it', () => {
    const before = numbered(9);
    const after = before.with(4, 'five\n');
    expect(unifiedDiff(before.join(''), after.join(''))).toBe(
      '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
    );
  });

  it('shows changes that are near each other together', () => {
    const before = numbered(20);
    const after = before.with(4, 'five\n').with(11, 'twelve\n').with(19, 'twenty\n');
    expect(unifiedDiff(before.join(''), after.join('')).match(/^@@.*$/gm)).toEqual([
      '@@ -2,14 +2,14 @@',
      '@@ -17,4 +17,4 @@',
    ]);
  });

  it('shows a new file', () => {
    expect(unifiedDiff('', 'a\nb\n')).toBe('@@ -0,0 +1,2 @@\n+a\n+b\n');
  });

  it('says where a line has no line end', () => {
    expect(unifiedDiff('a', 'a\n')).toBe('@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n');
  });

  it('is empty where nothing differs', () => {
    expect(unifiedDiff('a\n', 'a\n')).toBe('');
  });

  it('makes the one text of the other, applied as a patch, byte for byte', () => {
    fc.assert(
      fc.property(textOfLines, textOfLines, fc.integer({ min: 1, max: 4 }), (before, after, context) => {
        fc.pre(before !== after && before !== '');
        const patch = `--- a/file\n+++ b/file\n${unifiedDiff(before, after, context)}`;
        const [file] = readPatch(patch);
        expect(file?.type).toBe('update');
        const hunks = file?.type === 'update' ? file.hunks : [];
        expect(applyHunks('file', before, hunks)).toBe(after);
      }),
      { numRuns: 500 },
    );
  });
});
