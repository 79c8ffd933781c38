import fc from 'fast-check';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { describe, expect, it } from 'vitest';
import { PieceEncoding } from '../../../src/compaction/tokens/byte-pair.ts';
import { mergeQueued, mostQueued } from '../../../src/compaction/tokens/merge-queue.ts';
import { TokenPairs } from '../../../src/compaction/tokens/token-pairs.ts';
import { Vocabulary } from '../../../src/compaction/tokens/vocabulary.ts';
import { soak } from '../../support/soak.ts';

describe('mergeQueued', () => {
  const vocabulary = new Vocabulary(cl100k);
  const { pairs } = vocabulary;

  it('leaves the same tokens as a merge that looks at all neighbours each time', () => {
    const token = fc.oneof(fc.integer({ min: 0, max: 0xff }), fc.constantFrom(64, 65, 66, 83));
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 300 }), (tokens) => {
        const compared = Int32Array.from(tokens);
        const left = pairs.merge(compared, tokens.length, 1);
        expect(mergeQueued(pairs, Int32Array.from(tokens), tokens.length)).toBe(left);
      }),
      { numRuns: soak(300, 5_000) },
    );
  });

  it('joins the leftmost of equal pairs first', () => {
    // 256 is `bb`, 257 is `bbb`, 258 is `abb`.
    const some = TokenPairs.withRoomFor(300);
    for (let byte = 0; byte < 0x100; byte++) some.addByte();
    some.add(98, 98);
    some.add(256, 98);
    some.add(97, 256);
    expect(mergeQueued(some, Int32Array.of(98, 98, 98), 3)).toBe(1);
    expect(mergeQueued(some, Int32Array.of(97, 98, 98, 98), 4)).toBe(2);
  });

  it('has room for pieces whose neighbours all make tokens', () => {
    const blanks = new Uint8Array(mostQueued).fill(0x20);
    const expected = new PieceEncoding(vocabulary).count(blanks, 0, mostQueued);
    expect(vocabulary.merge(blanks, 0, mostQueued)).toBe(expected);
  });
});
