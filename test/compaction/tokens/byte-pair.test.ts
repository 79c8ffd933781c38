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
])('PieceEncoding with %s', (_name, file) => {
  const vocabulary = new Vocabulary(file);

  it('produces as many tokens for any bytes as step-by-step merging', () => {
    const pieces = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 40 }),
      fc.stringMatching(/^[a-z]{1,60}$/).map((text) => Buffer.from(text)),
      fc
        .array(fc.constantFrom('de', 'ing', 'ation', '压', '缩', '上下文', 'ка', ' ', '='), {
          minLength: 1,
          maxLength: 15,
        })
        .map((parts) => Buffer.from(parts.join(''))),
    );
    fc.assert(
      fc.property(pieces, (bytes) => {
        const encoding = new PieceEncoding(vocabulary);
        const expected = vocabulary.merge(bytes, 0, bytes.length);
        expect(encoding.count(bytes, 0, bytes.length)).toBe(expected);
      }),
      { numRuns: soak(500, 10_000) },
    );
  });

  it('produces as many tokens for a long repetition as for the same text in smaller steps', () => {
    const parts = fc.constantFrom(' ', '=', '-', '\t', '\n', '─', '汉', 'a', 'ab', '-=', '😀', '\u0301');
    const repetition = fc.tuple(parts, fc.integer({ min: 1, max: 3_500 }));
    const pieces = fc
      .array(repetition, { minLength: 1, maxLength: 3 })
      .map((runs) =>
        Buffer.from(runs.map(([part, times]) => part.repeat(times)).join('')).subarray(0, 4_000),
      );
    fc.assert(
      fc.property(pieces, fc.nat(4_000), (bytes, cut) => {
        const encoding = new PieceEncoding(vocabulary);
        const length = Math.min(bytes.length, cut + 1);
        expect(encoding.count(bytes, 0, length)).toBe(vocabulary.merge(bytes, 0, length));
        encoding.forgetAfter(Math.floor(length / 2));
        expect(encoding.count(bytes, 0, bytes.length)).toBe(vocabulary.merge(bytes, 0, bytes.length));
      }),
      { numRuns: soak(200, 5_000) },
    );
  });
});
