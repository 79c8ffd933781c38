import fc from 'fast-check';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, it } from 'vitest';
import { endByte } from '../../../src/compaction/tokens/character-classes.ts';
import { PieceScan } from '../../../src/compaction/tokens/piece-scan.ts';
import { scanTables } from '../../../src/compaction/tokens/split-patterns.ts';
import { mostBytesPerUnit, writeUtf8 } from '../../../src/compaction/tokens/utf8.ts';
import { soak } from '../../support/soak.ts';

/** Characters of every class, and those that the patterns name. */
const characters = fc.constantFrom(
  ...['a', 'z', 'ß', 'ſ', 'ﬁ', 'A', 'É', 'ǅ', 'ʰ', 'ー', '汉', '한', 'ا', 'ª', '\u0301', 'ิ', '\u20dd'],
  ...[
    '1',
    '२',
    '½',
    'Ⅳ',
    '\u{1d7ce}',
    ' ',
    '\t',
    '\u00a0',
    '\u3000',
    '\ufeff',
    '\u2028',
    '\n',
    '\r',
    '\u0085',
  ],
  ...['/', '!', '.', "'", '’', '-', '😀', '\u200d', '\0', '𝐀', '𐐨', '𐐀', '\ud83d', '\ude00', '\u{e0001}'],
  ...["'s", "'T", "'re", "'LL", "'Ve", "'vE", "'d", "'M", "'x", "'r", '\r\n', '  ', '//'],
);
const texts = fc.oneof(
  fc.array(characters, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

/** The pieces of a text by the regular expression. A lone surrogate becomes U+FFFD, as in UTF-8. */
const matchedPieces = (text: string, pattern: string) =>
  [...text.matchAll(new RegExp(pattern, 'ug'))].map(([piece]) => piece.replaceAll(/\p{Cs}/gu, '\ufffd'));

function scannedPieces(text: string, pattern: string): readonly string[] {
  const table = scanTables.get(pattern)!;
  const scan = new PieceScan();
  const bytes = new Uint8Array(text.length * mostBytesPerUnit + 1);
  const length = writeUtf8(text, 0, text.length, bytes, 0);
  bytes[length] = endByte;
  const pieces: string[] = [];
  for (let start = 0; start < length;) {
    scan.begin(start);
    scan.advance(table, bytes);
    pieces.push(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, scan.end)));
    start = scan.end;
  }
  return pieces;
}

describe.each([
  ['o200k_base', o200k.pat_str],
  ['cl100k_base', cl100k.pat_str],
])('the scan table of %s', (_name, pattern) => {
  it('finds the same pieces as the split pattern', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(scannedPieces(text, pattern)).toEqual(matchedPieces(text, pattern));
      }),
      { numRuns: soak(5_000, 50_000) },
    );
  });

  it('finds the same pieces for every character, alone and among other characters', () => {
    const differing: string[] = [];
    // Planes 4 to 13 have no characters, and those after 14 are for private use.
    const blocks = Array.from({ length: 0x1100 }, (_, index) => 0x100 * index);
    for (const block of blocks.filter((one) => one < 0x40000 || one >= 0xe0000)) {
      const characters = Array.from({ length: 0x100 }, (_, index) => String.fromCodePoint(block + index));
      const text = characters.map((one) => `${one} A${one}b1${one}! ${one}\n`).join('');
      const [scanned, matched] = [scannedPieces(text, pattern), matchedPieces(text, pattern)];
      if (scanned.join('|') !== matched.join('|')) differing.push(block.toString(16));
    }
    expect(differing).toEqual([]);
  });
});
