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
});
