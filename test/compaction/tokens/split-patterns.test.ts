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
  it('finds the pieces that the split pattern matches', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(scannedPieces(text, pattern)).toEqual(matchedPieces(text, pattern));
      }),
      { numRuns: soak(5_000, 50_000) },
    );
  });

  it('does so for every character, alone and among others', () => {
    const differing: string[] = [];
    for (let block = 0; block < 0x30000; block += 0x100) {
      const characters = Array.from({ length: 0x100 }, (_, index) => String.fromCodePoint(block + index));
      const text = characters.map((one) => `${one} A${one}b1${one}! ${one}\n`).join('');
      const [scanned, matched] = [scannedPieces(text, pattern), matchedPieces(text, pattern)];
      if (scanned.join('|') !== matched.join('|')) differing.push(block.toString(16));
    }
    expect(differing).toEqual([]);
  });
});

/** Pieces of a text, joined by `|`. */
const o200kPieces = (text: string) => scannedPieces(text, o200k.pat_str).join('|');
const cl100kPieces = (text: string) => scannedPieces(text, cl100k.pat_str).join('|');

describe('a word', () => {
  it('may begin with one character that is neither letter, number nor line end', () => {
    expect(o200kPieces('the store(open\tat')).toBe('the| store|(open|\tat');
    expect(o200kPieces('1a\nb')).toBe('1|a|\n|b');
    expect(o200kPieces('  two  !three')).toBe(' | two| | !|three');
  });

  it('of o200k_base ends where upper case follows lower case', () => {
    expect(o200kPieces('camelCaseHTTPServer')).toBe('camel|Case|HTTPServer');
    expect(cl100kPieces('camelCaseHTTPServer')).toBe('camelCaseHTTPServer');
  });

  it('of o200k_base gives back upper case that follows letters without case', () => {
    expect(o200kPieces('汉字AB')).toBe('汉字|AB');
    expect(o200kPieces('汉AB字C')).toBe('汉AB字|C');
    expect(o200kPieces('汉ABc')).toBe('汉ABc');
  });

  it('contains marks in o200k_base, but not in cl100k_base', () => {
    expect(o200kPieces('e\u0301t')).toBe('e\u0301t');
    expect(cl100kPieces('e\u0301t')).toBe('e|\u0301t');
    expect(o200kPieces('\u0301AB')).toBe('\u0301|AB');
  });

  it('ends with a contraction in o200k_base, which is a separate piece in cl100k_base', () => {
    expect(o200kPieces("don't WE'LL it'd x'y")).toBe("don't| WE'LL| it'd| x|'y");
    expect(cl100kPieces("don't WE'LL it'd x'y")).toBe("don|'t| WE|'LL| it|'d| x|'y");
    expect(cl100kPieces("'really")).toBe("'re|ally");
  });
});

describe('a number', () => {
  it('has at most three digits, of any script', () => {
    expect(o200kPieces('1234567')).toBe('123|456|7');
    expect(o200kPieces('१२३४½')).toBe('१२३|४½');
    expect(o200kPieces(' 42')).toBe(' |42');
  });
});

describe('symbols', () => {
  it('include a blank before them and the line ends after them', () => {
    expect(o200kPieces('a ++\r\n\nb')).toBe('a| ++\r\n\n|b');
    expect(o200kPieces('a\t++')).toBe('a|\t|++');
  });

  it('include slashes after line ends in o200k_base, but not in cl100k_base', () => {
    expect(o200kPieces('!\n//\n/')).toBe('!\n//\n/');
    expect(cl100kPieces('!\n//\n/')).toBe('!\n|//\n|/');
  });
});

describe('white space', () => {
  it('ends after its last line end', () => {
    expect(o200kPieces('a \n \n  b')).toBe('a| \n \n| | b');
  });

  it('leaves its last character to the next piece', () => {
    expect(o200kPieces('a   b')).toBe('a|  | b');
    expect(o200kPieces('a   1')).toBe('a|  | |1');
    expect(o200kPieces('a \u3000b')).toBe('a| |\u3000b');
  });

  it('is taken whole at the end of the text', () => {
    expect(o200kPieces('a   ')).toBe('a|   ');
  });
});

describe('a lone surrogate', () => {
  it('is a symbol, like the character that replaces it in UTF-8', () => {
    expect(o200kPieces('a\ud83d b\ude00')).toBe('a|\ufffd| b|\ufffd');
  });
});
