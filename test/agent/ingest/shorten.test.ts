import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestLine, numberLines } from '../../../src/agent/ingest/shorten.ts';

describe('a numbered text', () => {
  it('has a number for each line, and none after the last line feed', () => {
    const { count, line } = numberLines('one\r\ntwo\n\nfour\n');
    expect([1, 2, 3, 4].map(line)).toEqual(['one', 'two', '', 'four']);
    expect(count).toBe(4);
  });

  it('splits a long line, so that it can be read in parts', () => {
    const { count, line } = numberLines(`${'x'.repeat(2 * longestLine)}\nend`);
    expect(count).toBe(3);
    expect(line(3)).toBe('end');
  });

  it('splits no character', () => {
    const { line } = numberLines(`${'x'.repeat(longestLine - 1)}😀`);
    expect(line(2)).toBe('😀');
  });

  it('is complete, and finds the line of a position', () => {
    const piece = fc.constantFrom('\n', '\r\n', 'word ', '锁', '😀', 'x'.repeat(700));
    fc.assert(
      fc.property(fc.array(piece), fc.nat(), (pieces, at) => {
        const text = pieces.join('');
        const numbered = numberLines(text);
        const lines = Array.from({ length: numbered.count }, (_, index) =>
          numbered.between(index + 1, index + 1),
        );
        expect(lines.join('')).toBe(text);
        const position = text === '' ? 0 : at % text.length;
        const number = numbered.numberAt(position);
        expect(numbered.startOf(number)).toBeLessThanOrEqual(position);
        expect(numbered.startOf(number + 1)).toBeGreaterThanOrEqual(Math.min(position + 1, text.length));
      }),
    );
  });
});
