/** Longer words, in characters, are data and nothing that anyone looks for: base64, hashes in a row. */
const longestWord = 100;

const word = /[\p{L}\p{M}\p{N}_$]+/gu;
/** Scripts that write no spaces between words, and Hangul, whose words carry their particles with them. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
/** `HTTP`, `Server`, `parse`, `42`: what an identifier is put together from. */
const part = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+|\p{N}+/gu;

/**
 * What a text can be found by, in lower case: its words; of an identifier also the parts; of Chinese, Japanese and
 * Korean every two neighbouring characters, which needs no dictionary.
 */
export function termsOf(text: string): string[] {
  const words = text.normalize('NFKC').match(word) ?? [];
  return words.flatMap((found) => [
    ...(found.match(unspaced) ?? []).flatMap(pairsOf),
    ...found.split(unspaced).flatMap(wordAndParts),
  ]);
}

/** Whether a term stands for a single character of such a script: it is found wherever a pair begins with it. */
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
