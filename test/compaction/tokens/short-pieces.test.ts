import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestShort, ShortPieces } from '../../../src/compaction/tokens/short-pieces.ts';

/** Bytes with room after them, as a piece has in a text. */
const inText = (piece: readonly number[]) =>
  Uint8Array.from([...piece, ...Array<number>(longestShort).fill(7)]);
const askedAbout = (pieces: ShortPieces, piece: readonly number[]) =>
  pieces.countOf(inText(piece), 0, piece.length);

describe('ShortPieces', () => {
  it('returns a count only for a piece that it has learned', () => {
    const piece = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: longestShort });
    fc.assert(
      fc.property(fc.array(piece), (asked) => {
        const pieces = new ShortPieces();
        const counts = new Map<string, number>();
        for (const one of asked) {
          const known = counts.get(String(one));
          // So few pieces rarely replace each other.
          expect([0, known]).toContain(askedAbout(pieces, one));
          if (askedAbout(pieces, one) > 0) continue;
          counts.set(String(one), one.length);
          pieces.learn(one.length);
          expect(askedAbout(pieces, one)).toBe(one.length);
        }
      }),
    );
  });

  it('distinguishes pieces that consist of a different number of zeros', () => {
    const pieces = new ShortPieces();
    for (let length = 2; length <= longestShort; length++) {
      expect(askedAbout(pieces, Array<number>(length).fill(0))).toBe(0);
      pieces.learn(length);
    }
  });

  it('ignores the text around a piece', () => {
    const pieces = new ShortPieces();
    const text = Uint8Array.from({ length: 40 }, (_, index) => index);
    expect(pieces.countOf(text, 3, 6)).toBe(0);
    pieces.learn(2);
    expect(pieces.countOf(inText([3, 4, 5]), 0, 3)).toBe(2);
    expect(pieces.countOf(text, 3, 7)).toBe(0);
  });

  it('replaces an older piece with a newer one in the same place', () => {
    const pieces = new ShortPieces();
    const many = Array.from({ length: 50_000 }, (_, index) => [
      1,
      index & 0xff,
      (index >> 8) & 0xff,
      index >> 16,
    ]);
    for (const piece of many) {
      askedAbout(pieces, piece);
      pieces.learn(1);
    }
    expect(askedAbout(pieces, many.at(-1)!)).toBe(1);
    const kept = many.filter((piece) => askedAbout(pieces, piece) > 0).length;
    expect(kept).toBeGreaterThan(8_000);
    expect(kept).toBeLessThan(many.length / 2);
  });
});
