import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineChanges, lineCounts, linesWithEnds, unifiedDiff } from '../../../src/agent/edits/line-diff.ts';
import { textOfLines } from './texts.ts';

describe('diffs of lines', () => {
  describe('a comparison of lines', () => {
    it('pairs each changed line with its replacement', () => {
      expect(lineChanges(['a\n', 'b\n', 'c\n', 'd\n'], ['a\n', 'x\n', 'y\n', 'c\n'])).toEqual([
        { beforeStart: 1, beforeEnd: 2, afterStart: 1, afterEnd: 3 },
        { beforeStart: 3, beforeEnd: 4, afterStart: 4, afterEnd: 4 },
      ]);
    });

    it('counts a changed line end as a changed line', () => {
      expect(lineCounts('a\nb\n', 'a\r\nb\n')).toEqual({ added: 1, removed: 1 });
    });

    it('transforms one text into the other', () => {
      fc.assert(
        fc.property(textOfLines, textOfLines, (before, after) => {
          const [left, right] = [linesWithEnds(before), linesWithEnds(after)];
          const rebuilt: string[] = [];
          let position = 0;
          for (const { beforeStart, beforeEnd, afterStart, afterEnd } of lineChanges(left, right)) {
            rebuilt.push(...left.slice(position, beforeStart), ...right.slice(afterStart, afterEnd));
            position = beforeEnd;
          }
          rebuilt.push(...left.slice(position));
          expect(rebuilt.join('')).toBe(after);
        }),
      );
    });

    it('treats everything between the common ends as changed if nothing else is common', () => {
      const many = (letter: string) => Array.from({ length: 3_000 }, (_, index) => `${letter}${index}\n`);
      expect(lineChanges(['first\n', ...many('a'), 'last\n'], ['first\n', ...many('b'), 'last\n'])).toEqual([
        { beforeStart: 1, beforeEnd: 3_001, afterStart: 1, afterEnd: 3_001 },
      ]);
    });
  });
});

describe('diffs as text', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}\n`);

  describe('a unified diff', () => {
    it('shows a change with three lines around it', () => {
      const before = numbered(9);
      const after = before.with(4, 'five\n');
      expect(unifiedDiff(before.join(''), after.join(''))).toBe(
        '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
      );
    });

    it('shows neighbouring changes together', () => {
      const before = numbered(20);
      const after = before.with(4, 'five\n').with(11, 'twelve\n').with(19, 'twenty\n');
      expect(unifiedDiff(before.join(''), after.join('')).match(/^@@.*$/gm)).toEqual([
        '@@ -2,14 +2,14 @@',
        '@@ -17,4 +17,4 @@',
      ]);
    });

    it('marks a missing line end', () => {
      expect(unifiedDiff('a', 'a\n')).toBe('@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n');
    });

    it('transforms one text into the other byte for byte when applied', () => {
      fc.assert(
        fc.property(textOfLines, textOfLines, fc.integer({ min: 1, max: 4 }), (before, after, context) => {
          fc.pre(before !== after && before !== '');
          const patch = `--- a/file\n+++ b/file\n${unifiedDiff(before, after, context)}`;
          expect(applyPatch(before, patch)).toBe(after);
        }),
        { numRuns: 500 },
      );
    });
  });
});
