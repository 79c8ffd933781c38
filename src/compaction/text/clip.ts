/**
 * The beginning and the end of a text, around a marker that says how much is missing. Never longer than the limit,
 * and never through the middle of a character.
 *
 * @param longest characters (UTF-16 units)
 * @param marker what to put in the middle, given the number of characters left out
 */
export function headAndTail(
  text: string,
  longest: number,
  marker: (missing: number) => string = leftOut,
): string {
  if (text.length <= longest) return text;
  const room = longest - marker(text.length).length;
  if (room <= 0) return headOf(text, longest);
  const head = headOf(text, Math.ceil(room / 2));
  const tail = tailOf(text, Math.floor(room / 2));
  return `${head}${marker(text.length - head.length - tail.length)}${tail}`;
}

/** In the middle of a text that nothing else tells how to get back. */
export function leftOut(missing: number): string {
  return `\n[… ${missing} characters left out …]\n`;
}

/** At most so many characters from the start. */
export function headOf(text: string, length: number): string {
  const end = Math.max(0, Math.min(length, text.length));
  return text.slice(0, isInsideCharacter(text, end) ? end - 1 : end);
}

/** The text, or its head with an ellipsis: at most so many characters, and never half of one. */
export function ellipsised(text: string, length: number): string {
  return text.length <= length ? text : `${headOf(text, length - 1)}…`;
}

/** At most so many characters from the end. */
export function tailOf(text: string, length: number): string {
  const start = Math.max(0, text.length - Math.max(0, length));
  return text.slice(isInsideCharacter(text, start) ? start + 1 : start);
}

function isInsideCharacter(text: string, position: number): boolean {
  const before = text.charCodeAt(position - 1);
  const behind = text.charCodeAt(position);
  return before >= 0xd800 && before <= 0xdbff && behind >= 0xdc00 && behind <= 0xdfff;
}

const mostRounds = 12;

/**
 * The beginning and the end of a text, in at most so many tokens. If there is no room for the marker, it is left
 * out.
 */
export async function clipToTokens(
  text: string,
  tokens: number,
  countText: (text: string) => Promise<number>,
  marker: (missing: number) => string,
): Promise<string> {
  const total = await countText(text);
  if (total <= tokens) return text;
  const middle = marker(text.length);
  const middleTokens = await countText(middle);
  const room = tokens - middleTokens;
  // A character of the marker can take far fewer tokens than one of the text, so that they are counted apart.
  let kept = Math.floor((text.length * room) / total);
  for (let round = 0; round < mostRounds && kept > 0; round++) {
    const clipped = headAndTail(text, middle.length + kept, marker);
    const size = await countText(clipped);
    if (size <= tokens) return clipped;
    kept = Math.min(kept - 1, Math.floor((kept * room) / Math.max(1, size - middleTokens)));
  }
  return cutToTokens(text, tokens, countText, (longest) => headOf(text, longest));
}

/**
 * A text, cut down to at most so many tokens. Looks for the longest cut in a few rounds, because how many characters a
 * token takes depends on the text.
 *
 * @param cut the text in at most so many characters; empty if nothing can be left of it
 */
export async function cutToTokens(
  text: string,
  tokens: number,
  countText: (text: string) => Promise<number>,
  cut: (longest: number) => string,
): Promise<string> {
  const total = await countText(text);
  if (total <= tokens) return text;
  let longest = Math.floor((text.length * tokens) / total);
  for (let round = 0; round < mostRounds && longest > 0; round++) {
    const clipped = cut(longest);
    const size = await countText(clipped);
    if (size <= tokens) return clipped;
    longest = Math.min(longest - 1, Math.floor((longest * tokens) / size));
  }
  return '';
}

/**
 * A text without these characters at its end. An expression such as `/\.+$/` would look at each run of them in the
 * text, again from each character of the run.
 *
 * @param characters each UTF-16 unit of it is left out
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** A word without the place in a file after it: `src/x.ts:12:3:` is `src/x.ts`. */
export function withoutPlace(word: string): string {
  let { length: end } = withoutEnd(word, ':.');
  for (;;) {
    const { length: colon } = withoutEnd(word.slice(0, end), '0123456789');
    if (colon === end || word[colon - 1] !== ':') return word.slice(0, end);
    end = colon - 1;
  }
}
