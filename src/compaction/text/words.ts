/**
 * Words of a text, split in the same way everywhere. Scripts without spaces are read as pairs of neighbouring
 * characters, so that no dictionary is needed.
 */

/** Maximum length of a word, in characters. Longer words are data that is not searched, such as base64 or hashes. */
const longestWord = 100;

/** A word of a program or a language; `$` belongs to names. */
const writtenWord = /[\p{L}\p{M}\p{N}_$]+/gu;
/** A written word without `$`, which precedes names in templates and shells. */
const plainWord = /[\p{L}\p{M}\p{N}_]+/gu;
/** Scripts without spaces between words, and Hangul, whose words include their particles. */
const unspaced = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+)/u;
/** A border within an identifier: `HTTP|Server`, `parse|Tree`, `read|_|file`. */
const border = /(?<=[\p{Ll}\p{Lo}\p{M}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[^\p{L}\p{M}\p{N}]+/u;
const numberBorder = /(?<=\p{N})(?=\P{N})|(?<=\P{N})(?=\p{N})/u;

const notAscii = /\P{ASCII}/u;
const lowerCase = /^[a-z]+$/u;

interface WordPlace {
  readonly word: string;
  readonly index: number;
}

/** Finds the written words of a text. A run of a script without spaces is one word. */
export function wordPlaces(text: string): readonly WordPlace[] {
  return Array.from(text.matchAll(writtenWord), ({ 0: word, index }) => ({ word, index }));
}

/** Returns the words without positions, with compatible characters unified: `ﬁ` becomes `fi`. */
export function writtenWords(text: string): readonly string[] {
  return text.normalize('NFKC').match(writtenWord) ?? [];
}

/**
 * Returns words of at least `shortest` characters in lower case, whole identifiers, and pairs of unspaced characters.
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

/** Returns a search for words (see `wordsOf`) in a text. ASCII text is searched by first letter and length. */
export function wordFinder(words: ReadonlySet<string>, shortest: number): (text: string) => Set<string> {
  /** First character, in both cases → a bit for each length up to 30, and one bit for longer words. */
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
    let isAscii = true;
    for (let index = 0; index <= text.length; index++) {
      const code = index < text.length ? text.charCodeAt(index) : 0;
      if (code >= asciiCharacters ? !isSymbol(code) : isPlain[code] === 1) {
        if (start < 0) start = index;
        if (code >= asciiCharacters) isAscii = false;
        continue;
      }
      const length = index - start;
      if (start >= 0 && !isAscii) {
        for (const word of wordsOf(text.slice(start, index), shortest)) if (words.has(word)) found.add(word);
      } else if (start >= 0 && length >= shortest) {
        const mayBeOne = (lengths[text.charCodeAt(start)]! >>> Math.min(length, 31)) & 1;
        const word = mayBeOne === 1 ? text.slice(start, index).toLowerCase() : '';
        if (words.has(word)) found.add(word);
      }
      start = -1;
      isAscii = true;
    }
    return found;
  };
}

const asciiCharacters = 128;
const isPlain = Uint8Array.from({ length: asciiCharacters }, (_, code) =>
  /\w/u.test(String.fromCharCode(code)) ? 1 : 0,
);

/** True for arrows, mathematical signs, lines and shapes. Programs print them next to words, and no word contains them. */
function isSymbol(code: number): boolean {
  return (code >= 0x2190 && code < 0x2460) || (code >= 0x2500 && code < 0x2776);
}

/**
 * Returns the search terms of a word in lower case. Includes the parts of an identifier, and the pairs and
 * the last one of unspaced characters.
 */
export function termsOfWord(word: string): readonly string[] {
  if (!notAscii.test(word)) return wordAndParts(word);
  const pieces = word.split(unspaced);
  const runs = pieces.filter((_piece, index) => isUnspacedPiece(index));
  const others = pieces.filter((_piece, index) => !isUnspacedPiece(index));
  return [...runs.flatMap((run) => pairsOf(run, true)), ...others.flatMap(wordAndParts)];
}

export function termsOf(text: string): readonly string[] {
  return writtenWords(text).flatMap(termsOfWord);
}

/** Returns the parts of an identifier, in lower case. Digits stay with the letters next to them. */
export function identifierParts(name: string): readonly string[] {
  return name
    .split(border)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
}

interface Segment {
  readonly text: string;
  readonly isWord: boolean;
}

/** Returns the words of a text and the text between them, by the platform's dictionary. Also works for Chinese. */
export function segmentsOf(text: string): readonly Segment[] {
  const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment, isWordLike }) => ({
    text: segment,
    isWord: isWordLike === true,
  }));
}

export function isUnspaced(word: string): boolean {
  return unspaced.exec(word)?.[0] === word;
}

/** True for a single character of a script without spaces. It matches every pair that begins with it. */
export function isSingleCharacter(term: string): boolean {
  return isUnspaced(term) && Array.from(term).length === 1;
}

/** True for an odd index: in a text that is split at its unspaced runs, these pieces are the runs. */
function isUnspacedPiece(index: number): boolean {
  return index % 2 === 1;
}

/** @param withLast true to include the last character, which begins no pair */
function pairsOf(run: string, withLast: boolean): readonly string[] {
  const characters = Array.from(run);
  const pairs = characters.map((character, index) => character + (characters[index + 1] ?? ''));
  return withLast || pairs.length === 1 ? pairs : pairs.slice(0, -1);
}

function wordAndParts(text: string): readonly string[] {
  if (text === '' || text.length > longestWord) return [];
  if (lowerCase.test(text)) return [text];
  const parts = identifierParts(text).flatMap((part) => part.split(numberBorder));
  const whole = text.toLowerCase();
  return parts.length <= 1 ? [parts[0] ?? whole] : [whole, ...parts];
}
