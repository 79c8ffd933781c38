import { type CutOf, memoisedEnds } from '../text/known-cuts.ts';

/**
 * A set of words by their hashes: a Bloom filter with one hash. It may report words that were not added, but
 * never misses an added word. A word is a run of ASCII letters, digits, `_` and `$`.
 */
export class WordSet {
  private readonly bits: Uint8Array;
  private readonly mask: number;

  /** @param bits minimum number; at most a tenth of them should be set */
  constructor(bits: number) {
    const count = 2 ** Math.ceil(Math.log2(Math.max(bits, 8)));
    this.bits = new Uint8Array(count / 8);
    this.mask = count - 1;
  }

  add(hash: number): void {
    const bit = hash & this.mask;
    this.bits[bit >>> 3]! |= 1 << (bit & 7);
  }

  hasAll(hashes: readonly number[]): boolean {
    for (const hash of hashes) {
      const bit = hash & this.mask;
      if ((this.bits[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }
}

/** Classes of ASCII characters: 1 for characters of words, 0 for all others. */
const isOfWord = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w$]/u.test(String.fromCharCode(code)) ? 1 : 0,
);

function isWordAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code < 128 && isOfWord[code] === 1;
}

/** Passes the hash (FNV-1a) and the length of each word in a range of a text to `visit`. */
function eachWord(
  text: string,
  start: number,
  end: number,
  visit: (hash: number, length: number) => void,
): void {
  let hash = 0;
  let begin = start;
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code < 128 && isOfWord[code] === 1) {
      hash = Math.imul((hash === 0 ? 0x811c9dc5 : hash) ^ code, 0x01000193);
    } else {
      if (hash !== 0) visit(hash ^ (hash >>> 15), index - begin);
      hash = 0;
      begin = index + 1;
    }
  }
  if (hash !== 0) visit(hash ^ (hash >>> 15), end - begin);
}

/** Returns the hashes of the words of a text, the longest word first, because few texts contain it. */
export function wordHashes(text: string): readonly number[] {
  const words: { readonly hash: number; readonly length: number }[] = [];
  eachWord(text, 0, text.length, (hash, length) => words.push({ hash, length }));
  return words.sort((one, other) => other.length - one.length).map(({ hash }) => hash);
}

/** Bits per character for a text that is searched once, and for a text whose words are cached. */
const bitsPerCharacter = 1;
const keptBitsPerCharacter = 1 / 4;

/** Returns the words of each text, and of all texts. Two texts share no word. */
export function wordsInEach(texts: readonly string[]): {
  readonly each: readonly WordSet[];
  readonly all: WordSet;
} {
  // Joined to one flat string, because strings concatenated from pieces are slow to read.
  const whole = texts.join('\n');
  const all = new WordSet(whole.length * bitsPerCharacter);
  let end = -1;
  const each = texts.map(({ length }) => {
    const words = new WordSet(length * bitsPerCharacter);
    const start = end + 1;
    end = start + length;
    eachWord(whole, start, end, (word) => {
      words.add(word);
      all.add(word);
    });
    return words;
  });
  return { each, all };
}

/** Collects the words at the beginning and the end of a text. Words that a cut divides are added whole. */
const endsOf = memoisedEnds(
  (whole) => new WordSet(whole.length * keptBitsPerCharacter),
  (words, whole, start, end) => {
    eachWord(whole, startOfWord(whole, start), endOfWord(whole, end), (word) => words.add(word));
  },
);

function startOfWord(text: string, index: number): number {
  let start = index;
  while (start > 0 && isWordAt(text, start - 1)) start--;
  return start;
}

function endOfWord(text: string, index: number): number {
  let end = index;
  while (end < text.length && isWordAt(text, end)) end++;
  return end;
}

/** Returns the words of a cut, and possibly words of earlier cuts of the same text. */
export function wordsInCut(cut: CutOf): WordSet {
  const { whole, head, tail, middle } = cut;
  const words = endsOf(cut);
  // A word before or after the cut may end there, or continue in the middle.
  const joint =
    whole.slice(startOfWord(whole, head), head) + middle + whole.slice(tail, endOfWord(whole, tail));
  eachWord(joint, 0, joint.length, (word) => words.add(word));
  return words;
}
