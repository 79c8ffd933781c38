/** The beginning and the end of a text, with another text between them. Places are in UTF-16 units. */
export interface Cut {
  readonly whole: string;
  /** End of the beginning. */
  readonly head: number;
  /** Start of the end, at that place or after it. */
  readonly tail: number;
  readonly middle: string;
}

export function lengthOfCut({ whole, head, tail, middle }: Cut): number {
  return head + middle.length + whole.length - tail;
}

export function textOfCut({ whole, head, tail, middle }: Cut): string {
  return whole.slice(0, head) + middle + whole.slice(tail);
}

/**
 * Keeps the beginning and the end of the text, around a marker that says how much is missing. Never longer than the
 * limit, and never through the middle of a character.
 *
 * @param longest characters (UTF-16 units)
 * @param marker what to put in the middle, given the number of characters left out
 */
export function headAndTail(
  text: string,
  longest: number,
  marker: (missing: number) => string = leftOut,
): string {
  const cut = middleCut(text, longest, marker);
  return cut === undefined ? text : textOfCut(cut);
}

/**
 * The same as a cut; undefined if the text is no longer than the limit.
 *
 * @param tailShare share of the kept text that comes from the end; 0 keeps the beginning only
 */
export function middleCut(
  text: string,
  longest: number,
  marker: (missing: number) => string,
  tailShare = 1 / 2,
): Cut | undefined {
  if (text.length <= longest) return undefined;
  const room = longest - marker(text.length).length;
  if (room <= 0) return { whole: text, head: endOfHead(text, longest), tail: text.length, middle: '' };
  const kept = Math.floor(room * tailShare);
  const head = endOfHead(text, room - kept);
  const tail = startOfTail(text, kept);
  return { whole: text, head, tail, middle: marker(tail - head) };
}

/** Keeps the beginning of a text that is longer than that, before a marker that says how much is missing. */
export function headCut(text: string, longest: number, marker: (missing: number) => string): Cut {
  const head = endOfHead(text, longest);
  return { whole: text, head, tail: text.length, middle: marker(text.length - head) };
}

/** Marker in a text that has no reference for recalling it. */
export function leftOut(missing: number): string {
  return `\n[… ${missing} characters left out …]\n`;
}

/** The start of a string, up to a number of characters. */
export function headOf(text: string, length: number): string {
  return text.slice(0, endOfHead(text, length));
}

function endOfHead(text: string, length: number): number {
  const end = Math.max(0, Math.min(length, text.length));
  return isInsideCharacter(text, end) ? end - 1 : end;
}

/** Truncates with an ellipsis to a number of characters, never in the middle of a surrogate pair. */
export function ellipsised(text: string, length: number): string {
  return text.length <= length ? text : `${headOf(text, length - 1)}…`;
}

/** The end of a string, up to a number of characters. */
export function tailOf(text: string, length: number): string {
  return text.slice(startOfTail(text, length));
}

function startOfTail(text: string, length: number): number {
  const start = Math.max(0, text.length - Math.max(0, length));
  return isInsideCharacter(text, start) ? start + 1 : start;
}

function isInsideCharacter(text: string, position: number): boolean {
  const before = text.charCodeAt(position - 1);
  const behind = text.charCodeAt(position);
  return before >= 0xd800 && before <= 0xdbff && behind >= 0xdc00 && behind <= 0xdfff;
}

/** Counts the tokens of a text. */
type CountText = (text: string) => Promise<number>;

/** The room for a text that is written shorter and shorter until it fits. */
interface Room {
  /** Characters to begin with. */
  readonly first: number;
  /** Fewest characters to try; 1 if not given. */
  readonly least?: number;
  /** Most tokens of the text. */
  readonly limit: number;
  /** Tokens of the part of the text that stays the same, however few characters it has room for; 0 if not given. */
  readonly fixed?: number;
}

/** Rounds of shortening until the tokens fit: the number of characters that a token takes depends on the text. */
const mostRounds = 12;

/**
 * Writes text that fits a token limit, as long as a few rounds can find.
 *
 * @param write gets the room in characters; undefined if that is too little
 * @returns undefined if nothing fits
 */
export async function writeWithin(
  write: (characters: number) => string | undefined,
  { first, least = 1, limit, fixed = 0 }: Room,
  countText: CountText,
): Promise<string | undefined> {
  let characters = first;
  for (let round = 0; round < mostRounds && characters >= least; round++) {
    const written = write(characters);
    if (written === undefined) return undefined;
    const size = await countText(written);
    if (size <= limit) return written;
    const fitting = Math.floor((characters * (limit - fixed)) / Math.max(1, size - fixed));
    characters = Math.min(characters - 1, fitting);
  }
  return undefined;
}

/**
 * The beginning and the end of the text within a token limit. If there is no room for the marker, it is left
 * out.
 */
export async function clipToTokens(
  text: string,
  tokens: number,
  countText: CountText,
  marker: (missing: number) => string,
): Promise<string> {
  const total = await countText(text);
  if (total <= tokens) return text;
  const middle = marker(text.length);
  // A character of the marker can take far fewer tokens than one of the text, so that they are counted apart.
  const fixed = await countText(middle);
  const clipped = await writeWithin(
    (kept) => headAndTail(text, middle.length + kept, marker),
    { first: Math.floor((text.length * (tokens - fixed)) / total), limit: tokens, fixed },
    countText,
  );
  return clipped ?? cutToTokens(text, tokens, countText, (longest) => headOf(text, longest));
}

/**
 * Cuts text to a token limit.
 *
 * @param cut shortens the text to a number of characters; undefined if nothing can be left
 * @returns an empty text if nothing fits
 */
export async function cutToTokens(
  text: string,
  tokens: number,
  countText: CountText,
  cut: (longest: number) => string | undefined,
): Promise<string> {
  const total = await countText(text);
  if (total <= tokens) return text;
  const first = Math.floor((text.length * tokens) / total);
  return (await writeWithin(cut, { first, limit: tokens }, countText)) ?? '';
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
