import { type ScanState, scanTable, type ScanTable } from './piece-scan.ts';

const contraction = String.raw`('s|'S|'t|'T|'re|'rE|'Re|'RE|'ve|'vE|'Ve|'VE|'m|'M|'ll|'lL|'Ll|'LL|'d|'D)`;

/** Alternatives of the pattern of o200k_base, tried in this order. */
const o200kBase = [
  String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+${contraction}?`,
  String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*${contraction}?`,
  String.raw`\p{N}{1,3}`,
  String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
  String.raw`\s*[\r\n]+`,
  String.raw`\s+(?!\S)`,
  String.raw`\s+`,
];

const cl100kBase = [
  contraction,
  String.raw`[^\r\n\p{L}\p{N}]?\p{L}+`,
  String.raw`\p{N}{1,3}`,
  String.raw` ?[^\s\p{L}\p{N}]+[\r\n]*`,
  String.raw`\s*[\r\n]+`,
  String.raw`\s+(?!\S)`,
  String.raw`\s+`,
];

const numbers: Readonly<
  Record<'digit' | 'twoDigits' | 'threeDigits', ScanState<'twoDigits' | 'threeDigits'>>
> = {
  digit: { next: { digit: 'twoDigits' } },
  twoDigits: { next: { digit: 'threeDigits' } },
  threeDigits: { next: {} },
};

/**
 * White space ends after its last line end, or otherwise before its last character, which belongs to the next
 * piece. A single character, or white space at the end of the text, is taken whole.
 */
const whiteSpace: Readonly<
  Record<'spaces' | 'lines' | 'afterLines', ScanState<'spaces' | 'lines' | 'afterLines'>>
> = {
  spaces: { endsBefore: ['white', 'end'], next: { white: 'spaces', lineEnd: 'lines' } },
  lines: { next: { white: 'afterLines', lineEnd: 'lines' } },
  afterLines: { endsBefore: [], next: { white: 'afterLines', lineEnd: 'lines' } },
};

/** Rest of a contraction after the apostrophe. If it is not a contraction, the word ends before the apostrophe. */
const contractions: Readonly<
  Record<'apostrophe' | 'afterR' | 'afterL' | 'contracted', ScanState<'afterR' | 'afterL' | 'contracted'>>
> = {
  apostrophe: { endsBefore: [], next: { s: 'contracted', r: 'afterR', l: 'afterL' } },
  afterR: { endsBefore: [], next: { e: 'contracted' } },
  afterL: { endsBefore: [], next: { l: 'contracted' } },
  contracted: { next: {} },
};

/**
 * A word of o200k_base has two parts: one without lower case and one without upper case. Letters without case
 * and marks belong to both. If no lower case follows, the pattern backtracks from the first part until the
 * second has one character.
 */
const o200kTable = scanTable({
  start: {
    endsBefore: [],
    next: {
      upper: 'upper',
      lower: 'lower',
      caseless: 'caseless',
      // A mark without letters after it is a separate word.
      mark: 'caseless',
      digit: 'digit',
      white: 'space',
      blank: 'blank',
      lineEnd: 'lines',
      symbol: 'symbol',
    },
  },
  upper: {
    next: {
      upper: 'upper',
      lower: 'lower',
      caseless: 'caseless',
      mark: 'caseless',
      apostrophe: 'apostrophe',
    },
  },
  /** The last character may belong to either part of the word. */
  caseless: {
    next: {
      upper: 'upperAfterCaseless',
      lower: 'lower',
      caseless: 'caseless',
      mark: 'caseless',
      apostrophe: 'apostrophe',
    },
  },
  upperAfterCaseless: {
    endsBefore: [],
    next: { upper: 'upperAfterCaseless', lower: 'lower', caseless: 'caseless', mark: 'caseless' },
  },
  lower: { next: { lower: 'lower', caseless: 'lower', mark: 'lower', apostrophe: 'apostrophe' } },
  ...contractions,
  ...numbers,
  space: {
    next: {
      upper: 'upper',
      lower: 'lower',
      caseless: 'caseless',
      mark: 'caseless',
      white: 'spaces',
      lineEnd: 'lines',
    },
  },
  blank: {
    next: {
      upper: 'upper',
      lower: 'lower',
      caseless: 'caseless',
      mark: 'caseless',
      white: 'spaces',
      lineEnd: 'lines',
      symbol: 'symbols',
    },
  },
  ...whiteSpace,
  symbol: {
    next: {
      upper: 'upper',
      lower: 'lower',
      caseless: 'caseless',
      mark: 'caseless',
      symbol: 'symbols',
      lineEnd: 'afterSymbols',
    },
  },
  symbols: { next: { symbol: 'symbols', mark: 'symbols', lineEnd: 'afterSymbols' } },
  afterSymbols: { next: { lineEnd: 'afterSymbols', slash: 'afterSymbols' } },
});

const letters = { upper: 'letters', lower: 'letters', caseless: 'letters' } as const;

const cl100kTable = scanTable({
  start: {
    endsBefore: [],
    next: {
      ...letters,
      digit: 'digit',
      white: 'space',
      blank: 'blank',
      lineEnd: 'lines',
      symbol: 'symbol',
      mark: 'symbol',
      apostrophe: 'apostrophe',
    },
  },
  letters: { next: letters },
  ...numbers,
  space: { next: { ...letters, white: 'spaces', lineEnd: 'lines' } },
  blank: { next: { ...letters, white: 'spaces', lineEnd: 'lines', symbol: 'symbols', mark: 'symbols' } },
  ...whiteSpace,
  symbol: { next: { ...letters, symbol: 'symbols', mark: 'symbols', lineEnd: 'afterSymbols' } },
  symbols: { next: { symbol: 'symbols', mark: 'symbols', lineEnd: 'afterSymbols' } },
  afterSymbols: { next: { lineEnd: 'afterSymbols' } },
  /** A contraction takes precedence over a word with the same letters. */
  apostrophe: {
    next: {
      ...letters,
      s: 'contracted',
      r: 'afterR',
      l: 'afterL',
      symbol: 'symbols',
      mark: 'symbols',
      lineEnd: 'afterSymbols',
    },
  },
  afterR: { next: { ...letters, e: 'contracted' } },
  afterL: { next: { ...letters, l: 'contracted' } },
  contracted: { next: {} },
});

/** Split pattern → table that finds exactly the same pieces. */
export const scanTables: ReadonlyMap<string, ScanTable> = new Map([
  [o200kBase.join('|'), o200kTable],
  [cl100kBase.join('|'), cl100kTable],
]);
