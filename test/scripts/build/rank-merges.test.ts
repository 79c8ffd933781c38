import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { describe, expect, it } from 'vitest';
import { mergesOf } from '../../../scripts/build/rank-merges.ts';
import { ByteStrings, hashOf } from '../../../src/compaction/tokens/byte-strings.ts';
import { Vocabulary, type RankFile } from '../../../src/compaction/tokens/vocabulary.ts';

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const fileOf = (...tokens: readonly string[]): RankFile => ({
  pat_str: '.',
  bpe_ranks: `! 0 ${tokens.map(base64).join(' ')}`,
});
const rankIn = (tokens: ByteStrings, token: string) => {
  const bytes = Buffer.from(token, 'latin1');
  return tokens.find(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length));
};

describe('mergesOf', () => {
  it('keeps the rank of every token, and adds no token', () => {
    const known = new ByteStrings(new Vocabulary(mergesOf(cl100k)).tables.strings);
    const tokens = cl100k.bpe_ranks.trim().split(' ').slice(2);
    const wrong = tokens.filter(
      (token, rank) => rankIn(known, Buffer.from(token, 'base64').toString('latin1')) !== rank,
    );
    expect(wrong).toEqual([]);
    expect(rankIn(known, 'no such token')).toBe(-1);
  });

  it('takes about half of the space', () => {
    const { bytes, merges } = mergesOf(cl100k);
    expect(bytes.length + merges.length).toBeLessThan(0.6 * cl100k.bpe_ranks.length);
  });

  it('splits a token at the last merge of byte pair encoding', () => {
    // The ranks of `abc` are those of `ab` and `c`, 3 and 2, not of `a` and `bc`, 0 and 4.
    const { merges } = mergesOf(fileOf('a', 'b', 'c', 'ab', 'bc', 'abc'));
    expect(merges.slice(2, 3) + merges.slice(11, 12)).toBe('DC');
  });

  it('refuses a token that does not consist of two others', () => {
    expect(() => mergesOf(fileOf('a', 'b', 'abb'))).toThrow(
      'The token of rank 2 does not consist of two others.',
    );
  });
});
