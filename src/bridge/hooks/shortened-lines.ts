/**
 * Occur in lines with what a tool returned, as agents with hooks write them. Within a text, where quotes are escaped,
 * none of them can stand.
 */
const resultMarks = ['"tool_use_id":', '_call_output"', '"tool.execution_complete"'].map((mark) =>
  Buffer.from(mark),
);

/** Bytes at the end of what is read that hold the newest lines: their errors may still be open. */
const newestBytes = 500_000;
/** Bytes that are kept at either end of a long string in a result: commands print how they ended at one of them. */
const keptOfNewest = 2_000;
/** The same before that: errors of then are not asked for. */
const keptOfOlder = 150;
/** The same of a picture and whatever else is one line, wherever it is. */
const keptOfLine = 20_000;
/** Longest string that the user may have typed, in bytes: a longer one is left out. */
const longestTyped = 200_000;
/** Stands before a string that the user may have typed, also beside a result. */
const textKey = /"text":\s?$/u;
/** Bytes at either end of a line in which such a mark is looked for: what surrounds a result is short. */
const markedBytes = 1_500;

/** Stands in place of what is left out; closes the line that was cut, and opens another one. */
const gap = Buffer.from('\\n[...]\\n');
/** Bytes of the longest escape in a JSON string. */
const longestEscape = 6;

const lineFeed = 10;
const quote = 34;
const backslash = 92;

/**
 * The text of JSON lines, with the middle of long strings left out. Nearly all of a long session is what tools
 * returned; this way most of it is neither decoded nor parsed. Lines stay lines, and JSON stays JSON. What the user may
 * have typed stays whole: without the beginning of what an agent added to it, the rest of that would seem typed. A byte
 * order mark in front, which is no JSON, is left out.
 *
 * @param bytes UTF-8
 */
export function shortenedLines(bytes: Buffer): string {
  const pieces: Buffer[] = [];
  const newest = bytes.length - newestBytes;
  let done = 0;
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(lineFeed, start);
    const end = feed < 0 ? bytes.length : feed;
    const keptOfResult = start < newest ? keptOfOlder : keptOfNewest;
    if (end - start > 4 * keptOfResult) {
      const line = bytes.subarray(start, end);
      for (const [from, to] of longMiddles(line, isResult(line) ? keptOfResult : undefined)) {
        pieces.push(bytes.subarray(done, start + from), gap);
        done = start + to;
      }
    }
    start = end + 1;
  }
  pieces.push(bytes.subarray(done));
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/^\uFEFF/u, '');
}

function isResult(line: Buffer): boolean {
  const ends = [line.subarray(0, markedBytes), line.subarray(-markedBytes)];
  return resultMarks.some((mark) => ends.some((end) => end.includes(mark)));
}

/**
 * The parts to leave out of a line, each within a string of JSON.
 *
 * @param keptOfResult undefined for a line without a result
 */
function* longMiddles(
  line: Buffer,
  keptOfResult: number | undefined,
): Generator<readonly [from: number, to: number]> {
  if (line.length <= 2 * (keptOfResult ?? keptOfLine) + gap.length) return;
  let opening = line.indexOf(quote);
  while (opening >= 0) {
    const closing = endOfString(line, opening + 1);
    if (closing === undefined) return;
    const isTyped =
      keptOfResult === undefined || textKey.test(line.toString('latin1', Math.max(0, opening - 8), opening));
    const kept = isTyped ? keptOfLine : keptOfResult;
    if (closing - opening > 2 * kept + gap.length) {
      const from = endBefore(line, opening + 1, opening + 1 + kept);
      const to = beginningAfter(line, closing - kept, closing);
      if (from < to && (!isTyped || isOneLine(line, from, to))) yield [from, to];
      else if (closing - opening > longestTyped) yield [opening + 1, closing];
    }
    opening = line.indexOf(quote, closing + 1);
  }
}

/** True if a part of a string begins no line and no tag: an agent parts what it adds from typed text with these. */
function isOneLine(line: Buffer, start: number, end: number): boolean {
  const part = line.subarray(start, end);
  return !part.includes(backslash) && !part.includes('<');
}

/** @returns the place of the quote that ends a string; undefined if none does */
function endOfString(line: Buffer, start: number): number | undefined {
  for (let closing = line.indexOf(quote, start); closing >= 0; closing = line.indexOf(quote, closing + 1)) {
    let escapes = closing;
    while (line[escapes - 1] === backslash) escapes--;
    if ((closing - Math.max(escapes, start)) % 2 === 0) return closing;
  }
  return undefined;
}

/** The last place up to `place` that is neither within a character nor near an escape. */
function endBefore(line: Buffer, start: number, place: number): number {
  let end = place;
  while (end > start && (isWithinCharacter(line, end) || isNearEscape(line, end))) end--;
  return Math.max(start, end);
}

/** The first place from `place` on that is neither within a character nor near an escape. */
function beginningAfter(line: Buffer, place: number, end: number): number {
  let start = place;
  while (start < end && (isWithinCharacter(line, start) || isNearEscape(line, start))) start++;
  return start;
}

function isWithinCharacter(line: Buffer, place: number): boolean {
  return ((line[place] ?? 0) & 0xc0) === 0x80;
}

/** True if an escape may begin before the place and end after it, or belong to the same character as one after it. */
function isNearEscape(line: Buffer, place: number): boolean {
  for (let index = place - longestEscape; index < place; index++) if (line[index] === backslash) return true;
  return false;
}
