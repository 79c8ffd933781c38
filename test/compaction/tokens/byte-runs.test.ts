import fc from 'fast-check';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, it } from 'vitest';
import { PieceEncoding } from '../../../src/compaction/tokens/byte-pair.ts';
import { Vocabulary } from '../../../src/compaction/tokens/vocabulary.ts';
import { soak } from '../../support/soak.ts';

describe.each([
  ['o200k_base', o200k],
  ['cl100k_base', cl100k],
])('mergeRuns with %s', (_name, file) => {
  const vocabulary = new Vocabulary(file);
  const countOf = (text: string) => {
    const bytes = Buffer.from(text);
    return vocabulary.mergeRuns(bytes, 0, bytes.length);
  };

  it('produces as many tokens as the encoding from the left, for any few runs', () => {
    const bytes = fc.oneof(fc.constantFrom(...Buffer.from(' =-*#\t\n\ra0.')), fc.nat(0xff));
    const runs = fc.array(fc.tuple(bytes, fc.integer({ min: 1, max: 600 })), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(runs, (some) => {
        const piece = Buffer.concat(some.map(([byte, times]) => Buffer.alloc(times, byte)));
        const expected = new PieceEncoding(vocabulary).count(piece, 0, piece.length);
        expect(vocabulary.mergeRuns(piece, 0, piece.length)).toBe(expected);
      }),
      { numRuns: soak(150, 5_000) },
    );
  });

  it('leaves a piece of more runs to others', () => {
    expect(countOf('-=-=-')).toBe(0);
  });

  it('counts a million blanks at once', () => {
    expect(countOf(' '.repeat(1_000_000))).toBe(Math.ceil(1_000_000 / 128));
  });
});
