import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineChanges, lineCounts } from '../../../src/agent/edits/line-diff.ts';
import { linesOf } from '../../../src/agent/edits/lines.ts';
import { textOfLines } from './texts.ts';

describe('a comparison of lines', () => {
  it('finds nothing where nothing differs', () => {
    expect(lineChanges(['a\n', 'b\n'], ['a\n', 'b\n'])).toEqual([]);
  });

  it('names what stands for what', () => {
    expect(lineChanges(['a\n', 'b\n', 'c\n', 'd\n'], ['a\n', 'x\n', 'y\n', 'c\n'])).toEqual([
      { beforeStart: 1, beforeEnd: 2, afterStart: 1, afterEnd: 3 },
      { beforeStart: 3, beforeEnd: 4, afterStart: 4, afterEnd: 4 },
    ]);
  });

  it('counts a changed line end as a changed line', () => {
    expect(lineCounts('a\nb\n', 'a\r\nb\n')).toEqual({ added: 1, removed: 1 });
  });

  it('counts all lines of a file that is new', () => {
    expect(lineCounts('', 'a\nb')).toEqual({ added: 2, removed: 0 });
  });

  it('leads from one text to the other', () => {
    fc.assert(
      fc.property(textOfLines, textOfLines, (before, after) => {
        const [left, right] = [linesOf(before), linesOf(after)];
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

  it('counts everything between the first and the last difference where two texts have nothing in common', () => {
    const many = (letter: string) => Array.from({ length: 3_000 }, (_, index) => `${letter}${index}\n`);
    expect(lineChanges(['first\n', ...many('a'), 'last\n'], ['first\n', ...many('b'), 'last\n'])).toEqual([
      { beforeStart: 1, beforeEnd: 3_001, afterStart: 1, afterEnd: 3_001 },
    ]);
  });
});
