/**
 * The words of a text, taken apart in one way everywhere. Scripts that write no spaces between words are read two
 * neighbouring characters at a time, which needs no dictionary.
 */

/** Longer words, in characters, are data and nothing that anyone looks for: base64, hashes in a row. */
const longestWord = 100;

/** A word of a program or a language; `$` belongs to names. */
const writtenWord = /[\p{L}\p{M}\p{N}_$]+/gu;
/** The same without `$`, which precedes names in templates and shells. */
const plainWord = /[\p{L}\p{M}\p{N}_]+/gu;
/** Scripts that write no spaces between words, and Hangul, whose words carry their particles with them. */
const unspaced = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+)/u;
/** A border within an identifier: `HTTP|Server`, `parse|Tree`, `read|_|file`. */
const border = /(?<=[\p{Ll}\p{Lo}\p{M}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[^\p{L}\p{M}\p{N}]+/u;
const numberBorder = /(?<=\p{N})(?=\P{N})|(?<=\P{N})(?=\p{N})/u;

/** A word where it is in a text. */
interface WordPlace {
  readonly word: string;
  /** Of its first character, in UTF-16 units. */
  readonly index: number;
}

/** The words of a text as they are written, scripts without spaces in runs. */
export function wordPlaces(text: string): readonly WordPlace[] {
  return Array.from(text.matchAll(writtenWord), ({ 0: word, index }) => ({ word, index }));
}

/** The same words without their places, with compatible characters made one: `ﬁ` is `fi`. */
export function writtenWords(text: string): readonly string[] {
  return text.normalize('NFKC').match(writtenWord) ?? [];
}

/**
 * The words by which two texts are compared: in lower case, identifiers whole; of scripts without spaces every two
 * neighbouring characters, or the one that stands alone.
 *
 * @param shortest characters of a word of a script with spaces
 */
export function wordsOf(text: string, shortest: number): readonly string[] {
  return text
    .toLowerCase()
    .split(unspaced)
    .flatMap((piece, index) =>
      isUnspacedPiece(index)
        ? pairsOf(piece, false)
        : (piece.match(plainWord) ?? []).filter((word) => word.length >= shortest),
    );
}

/**
 * Finds out which of some words, as `wordsOf` writes them, occur in a text. Of ASCII text only those words are read that
 * may be one of them by their first letter and their length, which is several times as fast.
 *
 * @param shortest characters of a word of a script with spaces
 */
export function wordFinder(words: ReadonlySet<string>, shortest: number): (text: string) => Set<string> {
  /** By the first character, in both cases: a bit for each length up to 31, and one for all that are longer. */
  const lengths = new Uint32Array(asciiCharacters);
  for (const word of words) {
    for (const first of [word, word.toUpperCase()]) {
      const code = first.charCodeAt(0);
      if (code < asciiCharacters) lengths[code]! |= 1 << Math.min(word.length, 31);
    }
  }
  return (text) => {
    const found = new Set<string>();
    let start = -1;
    for (let index = 0; index <= text.length; index++) {
      const code = index < text.length ? text.charCodeAt(index) : 0;
      if (code >= asciiCharacters) return new Set(wordsOf(text, shortest).filter((word) => words.has(word)));
      if (isPlain[code] === 1) {
        if (start < 0) start = index;
        continue;
      }
      const length = index - start;
      if (start >= 0 && length >= shortest) {
        const mayBeOne = (lengths[text.charCodeAt(start)]! >>> Math.min(length, 31)) & 1;
        const word = mayBeOne === 1 ? text.slice(start, index).toLowerCase() : '';
        if (words.has(word)) found.add(word);
      }
      start = -1;
    }
    return found;
  };
}

/** Characters whose code a table can be asked about. */
const asciiCharacters = 128;
/** 1 for those of a plain word. */
const isPlain = Uint8Array.from({ length: asciiCharacters }, (_, code) =>
  /\w/u.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * The terms that find a word, in lower case: itself; for an identifier also its parts; for scripts without spaces every
 * two neighbouring characters, and the last one, with which no pair begins.
 */
export function termsOfWord(word: string): readonly string[] {
  const pieces = word.split(unspaced);
  const runs = pieces.filter((_piece, index) => isUnspacedPiece(index));
  const others = pieces.filter((_piece, index) => !isUnspacedPiece(index));
  return [...runs.flatMap((run) => pairsOf(run, true)), ...others.flatMap(wordAndParts)];
}

/** The search terms of a text: those of its words. */
export function termsOf(text: string): readonly string[] {
  return writtenWords(text).flatMap(termsOfWord);
}

/** The parts that an identifier is put together from, in lower case. Numbers stay with the letters beside them. */
export function identifierParts(name: string): readonly string[] {
  return name
    .split(border)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
}

/** A piece of a text as a dictionary divides it. */
interface Segment {
  readonly text: string;
  /** False for spaces and signs. */
  readonly isWord: boolean;
}

/** The words of a text, and what stands between them, as the platform's dictionary finds them. For Chinese as well. */
export function segmentsOf(text: string): readonly Segment[] {
  const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment, isWordLike }) => ({
    text: segment,
    isWord: isWordLike === true,
  }));
}

/** True if a word is written in a script without spaces between words, all of it. */
export function isUnspaced(word: string): boolean {
  return unspaced.exec(word)?.[0] === word;
}

/** True if a term is a single character of such a script: it is found wherever a pair begins with it. */
export function isSingleCharacter(term: string): boolean {
  return isUnspaced(term) && Array.from(term).length === 1;
}

/** A text that is split at its unspaced runs has these at every second place. */
function isUnspacedPiece(index: number): boolean {
  return index % 2 === 1;
}

/** @param withLast true for the last character as well, with which no pair begins */
function pairsOf(run: string, withLast: boolean): readonly string[] {
  const characters = Array.from(run);
  const pairs = characters.map((character, index) => character + (characters[index + 1] ?? ''));
  return withLast || pairs.length === 1 ? pairs : pairs.slice(0, -1);
}

function wordAndParts(text: string): readonly string[] {
  if (text === '' || text.length > longestWord) return [];
  const parts = identifierParts(text).flatMap((part) => part.split(numberBorder));
  const whole = text.toLowerCase();
  return parts.length <= 1 ? [parts[0] ?? whole] : [whole, ...parts];
}
