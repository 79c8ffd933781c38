import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  clipToTokens,
  ellipsised,
  headAndTail,
  withoutEnd,
  withoutPlace,
  writeWithin,
} from '../../../src/compaction/text/clip.ts';

describe('clipping a text', () => {
  /** True if no half of a surrogate pair is alone. */
  const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

  describe('ellipsised', () => {
    it('leaves a short string unchanged', () => {
      expect(ellipsised('short', 5)).toBe('short');
    });

    it('marks missing text with an ellipsis', () => {
      expect(ellipsised('longer', 5)).toBe('long…');
      expect(ellipsised('run 🚀 now', 6)).toBe('run …');
    });

    it('returns the beginning of the text within the limit, and splits no character', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, length) => {
          const shown = ellipsised(text, length);
          expect(shown.length).toBeLessThanOrEqual(length);
          expect(isWellFormed(shown)).toBe(true);
          expect(text.startsWith(shown === text ? text : shown.slice(0, -1))).toBe(true);
        }),
      );
    });
  });

  describe('headAndTail', () => {
    it('leaves a short string unchanged', () => {
      expect(headAndTail('short', 5)).toBe('short');
    });

    it('keeps both ends, and states the missing length', () => {
      const clipped = headAndTail('a'.repeat(500) + 'z'.repeat(500), 100);
      expect(clipped).toMatch(/^a+\n\[… 9\d\d characters left out …\]\nz+$/);
    });

    it('never exceeds the limit or splits a character', () => {
      fc.assert(
        fc.property(
          fc.string({ unit: 'grapheme', maxLength: 300 }),
          fc.nat({ max: 200 }),
          (text, longest) => {
            const clipped = headAndTail(text, longest);
            expect(clipped.length).toBeLessThanOrEqual(Math.max(longest, 0));
            expect(isWellFormed(clipped)).toBe(true);
          },
        ),
      );
    });
  });

  describe('writeWithin', () => {
    const countText = (text: string) => Promise.resolve(text.length);

    it('shortens its text until it fits', async () => {
      const written = await writeWithin((room) => 'x'.repeat(2 * room), { first: 100, limit: 50 }, countText);
      expect(written).toBe('x'.repeat(50));
    });

    it('accounts for the tokens of the fixed text', async () => {
      const write = (room: number) => `${'m'.repeat(40)}${'x'.repeat(room)}`;
      const written = await writeWithin(write, { first: 100, limit: 50, fixed: 40 }, countText);
      expect(written).toBe(write(10));
    });

    it('returns undefined below the minimum length or if no text fits', async () => {
      const room = { first: 100, limit: 50 };
      expect(
        await writeWithin((length) => 'x'.repeat(length), { ...room, least: 60 }, countText),
      ).toBeUndefined();
      expect(await writeWithin(() => undefined, room, countText)).toBeUndefined();
    });
  });

  describe('clipToTokens', () => {
    it('never exceeds the limit', async () => {
      const countText = (text: string) => Promise.resolve(Math.ceil(text.length / 3));
      await fc.assert(
        fc.asyncProperty(
          fc.string({ maxLength: 2_000 }),
          fc.integer({ min: 1, max: 300 }),
          async (text, tokens) => {
            const clipped = await clipToTokens(text, tokens, countText, () => '[…]');
            expect(await countText(clipped)).toBeLessThanOrEqual(tokens);
          },
        ),
      );
    });

    it('uses most of the limit', async () => {
      const countText = (text: string) => Promise.resolve(text.length);
      const clipped = await clipToTokens('x'.repeat(10_000), 1_000, countText, () => '[…]');
      expect(clipped.length).toBeGreaterThan(900);
    });

    it('reserves room for the marker, even if a character of the text takes several tokens', async () => {
      const countText = (text: string) =>
        Promise.resolve(
          Array.from(text).reduce((tokens, character) => tokens + (character === '仓' ? 3 : 0.25), 0),
        );
      const clipped = await clipToTokens('仓'.repeat(2_000), 64, countText, () => '[the middle is left out]');
      expect(clipped).toMatch(/^仓+\[the middle is left out\]仓+$/);
    });
  });
});

describe('the end of a text', () => {
  test.each([
    ['a..-', '.-', 'a'],
    ['a.b', '.-', 'a.b'],
    ['...', '.', ''],
    ['', '.', ''],
  ])('loses given characters in withoutEnd: %o without %o', (text, characters, left) => {
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
  ])('loses a position in withoutPlace: %o', (word, file) => {
    expect(withoutPlace(word)).toBe(file);
  });
});
