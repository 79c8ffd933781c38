/** A text whose middle is replaced. Positions are in UTF-16 units. */
export interface Cut {
  readonly whole: string;
  readonly head: number;
  readonly tail: number;
  readonly middle: string;
}

export function lengthOfCut({ whole, head, tail, middle }: Cut): number {
  return head + middle.length + whole.length - tail;
}

export function textOfCut({ whole, head, tail, middle }: Cut): string {
  return whole.slice(0, head) + middle + whole.slice(tail);
}

/** Keeps head and tail around a marker with the number of missing characters. Never splits a character. */
export function headAndTail(
  text: string,
  longest: number,
  marker: (missing: number) => string = leftOut,
): string {
  const cut = middleCut(text, longest, marker);
  return cut === undefined ? text : textOfCut(cut);
}

/** Cuts the middle out of a text, like `headAndTail`; undefined for a text within the limit. */
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

/** Keeps the beginning of a longer text, before a marker with the number of missing characters. */
export function headCut(text: string, longest: number, marker: (missing: number) => string): Cut {
  const head = endOfHead(text, longest);
  return { whole: text, head, tail: text.length, middle: marker(text.length - head) };
}

export function leftOut(missing: number): string {
  return `\n[… ${missing} characters left out …]\n`;
}

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

type CountText = (text: string) => Promise<number>;

interface Room {
  readonly first: number;
  readonly least?: number;
  readonly limit: number;
  /** Tokens of the part of the text that never changes; 0 by default. */
  readonly fixed?: number;
}

const mostRounds = 12;

/** Writes a text with ever fewer characters until it fits a token limit; undefined if nothing fits. */
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

/** Keeps the beginning and the end of the text within a token limit. Omits the marker if it does not fit. */
export async function clipToTokens(
  text: string,
  tokens: number,
  countText: CountText,
  marker: (missing: number) => string,
): Promise<string> {
  const total = await countText(text);
  if (total <= tokens) return text;
  const middle = marker(text.length);
  // Counts the marker separately, because its characters can take far fewer tokens than those of the text.
  const fixed = await countText(middle);
  const clipped = await writeWithin(
    (kept) => headAndTail(text, middle.length + kept, marker),
    { first: Math.floor((text.length * (tokens - fixed)) / total), limit: tokens, fixed },
    countText,
  );
  return clipped ?? cutToTokens(text, tokens, countText, (longest) => headOf(text, longest));
}

/** Cuts text to a token limit. @returns an empty string if nothing fits */
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

/** Removes some characters from the end of a text in linear time; `/\.+$/` is quadratic in long runs. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Removes a position in a file from the end of a word: `src/x.ts:12:3:` becomes `src/x.ts`. */
export function withoutPlace(word: string): string {
  let { length: end } = withoutEnd(word, ':.');
  for (;;) {
    const { length: colon } = withoutEnd(word.slice(0, end), '0123456789');
    if (colon === end || word[colon - 1] !== ':') return word.slice(0, end);
    end = colon - 1;
  }
}
