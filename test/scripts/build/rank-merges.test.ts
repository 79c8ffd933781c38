import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { describe, expect, it } from 'vitest';
import { mergesBeside, mergesOf } from '../../../scripts/build/rank-merges.ts';
import { ByteStrings, hashOf } from '../../../src/compaction/tokens/byte-strings.ts';
import { type MergeFile, type RankFile, Vocabulary } from '../../../src/compaction/tokens/vocabulary.ts';

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const fileOf = (...tokens: readonly string[]): RankFile => ({
  pat_str: '.',
  bpe_ranks: `! 0 ${tokens.map(base64).join(' ')}`,
});
const rankIn = (tokens: ByteStrings, token: string) => {
  const bytes = Buffer.from(token, 'latin1');
  return tokens.find(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length));
};

describe('mergesBeside', () => {
  it('writes the merges next to the bundle, which has everything else', async () => {
    const outdir = await mkdtemp(join(tmpdir(), 'merges-'));
    const contents = "export { default } from 'js-tiktoken/ranks/cl100k_base';";
    const stdin = { contents, resolveDir: import.meta.dirname };
    await build({ stdin, outdir, bundle: true, format: 'esm', platform: 'node', plugins: [mergesBeside] });
    const { default: file } = (await import(pathToFileURL(join(outdir, 'stdin.js')).href)) as {
      readonly default: MergeFile;
    };
    const written = { ...file, merges: Buffer.from(file.merges).toString('latin1') };
    await rm(outdir, { recursive: true });
    expect(written).toEqual(mergesOf(cl100k));
  });
});

describe('mergesOf', () => {
  it.each([
    ['a string', mergesOf(cl100k)],
    ['bytes', { ...mergesOf(cl100k), merges: Buffer.from(mergesOf(cl100k).merges) }],
  ])('keeps the rank of every token, and adds no token: %s', (_form, file) => {
    const known = new ByteStrings(new Vocabulary(file).tables.strings);
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
    expect([merges[2], merges[11]]).toEqual(['D', 'C']);
  });

  it('refuses a token that does not consist of two others', () => {
    expect(() => mergesOf(fileOf('a', 'b', 'abb'))).toThrow(
      'The token of rank 2 does not consist of two others.',
    );
  });
});
