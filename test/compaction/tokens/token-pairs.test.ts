import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noToken, TokenPairs } from '../../../src/compaction/tokens/token-pairs.ts';

/** Pairs of 256 bytes and of some pairs, each of two existing tokens. */
function pairsOf(halves: readonly (readonly [number, number])[]): TokenPairs {
  const pairs = TokenPairs.withRoomFor(0x100 + halves.length);
  for (let byte = 0; byte < 0x100; byte++) pairs.addByte();
  for (const [left, right] of halves) pairs.add(left, right);
  return pairs;
}

describe('TokenPairs', () => {
  it('finds the token of a known pair, and no token for other pairs', () => {
    const half = fc.integer({ min: 0, max: 2 ** 20 - 1 });
    const pair = fc.oneof(fc.tuple(half, half), fc.tuple(fc.nat(300), fc.nat(300)));
    fc.assert(
      fc.property(fc.uniqueArray(pair, { selector: String }), fc.array(pair), (added, asked) => {
        const pairs = pairsOf(added);
        const tokens = new Map(added.map((one, index) => [String(one), 0x100 + index]));
        for (const [left, right] of [...added, ...asked]) {
          expect(pairs.find(left, right)).toBe(tokens.get(`${left},${right}`) ?? noToken);
        }
        for (const [index, halves] of added.entries()) expect(pairs.halvesOf(0x100 + index)).toEqual(halves);
      }),
    );
  });

  it('first joins the pair with the lowest token, or the leftmost of equal pairs', () => {
    const merged = (
      tokens: readonly number[],
      halves: readonly (readonly [number, number])[],
      fewest = 1,
    ) => {
      const parts = Int32Array.from(tokens);
      return [...parts.subarray(0, pairsOf(halves).merge(parts, parts.length, fewest))];
    };
    // 256 is `bb`, 257 is `ab`, 258 is `bbb`.
    const halves = [
      [98, 98],
      [97, 98],
      [256, 98],
    ] as const;
    expect(merged([97, 98, 98], halves)).toEqual([97, 256]);
    expect(merged([98, 98, 98], halves)).toEqual([258]);
    expect(merged([98, 98, 98], halves, 2)).toEqual([256, 98]);
    expect(merged([97, 98, 97], halves)).toEqual([257, 97]);
    expect(merged([97], halves)).toEqual([97]);
  });

  it('refuses a vocabulary with ambiguous tokens', () => {
    expect(() => TokenPairs.withRoomFor(2 ** 20 + 1)).toThrow('A vocabulary of 1048577 tokens is too large.');
  });
});
