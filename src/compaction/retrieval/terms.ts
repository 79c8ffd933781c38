/** Longer words, in characters, are data and nothing that anyone looks for: base64, hashes in a row. */
const longestWord = 100;

const word = /[\p{L}\p{M}\p{N}_$]+/gu;
/** Scripts that write no spaces between words, and Hangul, whose words carry their particles with them. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
/** `HTTP`, `Server`, `parse`, `42`: what an identifier is put together from. */
// eslint-disable-next-line regexp/no-super-linear-move -- capitals that the first branch refuses are taken by the third
const part = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+|\p{N}+/gu;

/** The words of a text, as they are written there, but with compatible characters made one: `ﬁ` is `fi`. */
export function wordsOf(text: string): readonly string[] {
  return text.normalize('NFKC').match(word) ?? [];
}

/**
 * The terms that find a word, in lower case: itself; for an identifier also its parts; for Chinese, Japanese and Korean
 * every two neighbouring characters, which needs no dictionary.
 */
export function termsOfWord(found: string): readonly string[] {
  return [...(found.match(unspaced) ?? []).flatMap(pairsOf), ...found.split(unspaced).flatMap(wordAndParts)];
}

/** The terms that find a text: those of its words. */
export function termsOf(text: string): readonly string[] {
  return wordsOf(text).flatMap(termsOfWord);
}

/** True if a term is a single character of such a script: it is found wherever a pair begins with it. */
export function isSingleCharacter(term: string): boolean {
  return term.replace(unspaced, '') === '' && Array.from(term).length === 1;
}

/** The pairs of a run, and its last character, with which no pair begins. */
function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.map((character, index) => character + (characters[index + 1] ?? ''));
}

function wordAndParts(text: string): readonly string[] {
  if (text === '' || text.length > longestWord) return [];
  const parts = text.match(part) ?? [];
  const whole = text.toLowerCase();
  if (parts.length <= 1) return [parts[0]?.toLowerCase() ?? whole];
  return [whole, ...parts.map((piece) => piece.toLowerCase())];
}
