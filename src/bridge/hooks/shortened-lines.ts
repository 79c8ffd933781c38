/**
 * Signs of lines with a tool's output, as agents with hooks write them. The signs cannot occur within a string, where
 * quotes are escaped.
 */
const resultSigns = ['"tool_use_id":', '_call_output"', '"tool.execution_complete"'].map((sign) =>
  Buffer.from(sign),
);

/** Bytes at the end of the text that count as newest lines. Their errors may still be open. */
const newestBytes = 500_000;
/** Bytes kept at each end of a long string in a result, because commands print their exit state at one end. */
const keptOfNewest = 2_000;
/** Bytes kept at each end of a long string in an older result, whose errors are not needed. */
const keptOfOlder = 150;
/** Bytes kept at each end of a picture or another long string. */
const keptOfLine = 20_000;
/** Maximum bytes of a string that the user may have typed. Longer strings are left out. */
const longestTyped = 200_000;
/** Key of a string that the user may have typed, even in a line with a result. */
const textKey = /"text":\s?$/u;
/** Bytes at each end of a line that are searched for a result's sign, because little text surrounds a result. */
const markedBytes = 1_500;

/** Placeholder for an omitted part, between line breaks. */
const gap = Buffer.from('\\n[...]\\n');
/** Bytes of the longest escape in a JSON string. */
const longestEscape = 6;

const lineFeed = 10;
const quote = 34;
const backslash = 92;

/**
 * Returns the text of JSON lines without the middle of long strings. Most of a long session is tool output, which is
 * then neither decoded nor parsed. The lines stay valid JSON. Typed text is kept whole, because a cut could hide
 * where an agent's addition begins. A byte order mark is dropped, because it is not valid JSON.
 * @param bytes lines in UTF-8
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
  return resultSigns.some((sign) => ends.some((end) => end.includes(sign)));
}

/**
 * Finds the parts to omit from a line, each within a JSON string.
 * @param keptOfResult bytes kept at each end; undefined for a line without a result
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

/** True if a part of a string has no line break or tag. Agents put these between typed text and additions. */
function isOneLine(line: Buffer, start: number, end: number): boolean {
  const part = line.subarray(start, end);
  return !part.includes(backslash) && !part.includes('<');
}

/** @returns the position of the quote that ends a string, or undefined */
function endOfString(line: Buffer, start: number): number | undefined {
  for (let closing = line.indexOf(quote, start); closing >= 0; closing = line.indexOf(quote, closing + 1)) {
    let escapes = closing;
    while (line[escapes - 1] === backslash) escapes--;
    if ((closing - Math.max(escapes, start)) % 2 === 0) return closing;
  }
  return undefined;
}

/** Returns the last position up to `place` that splits no character or escape. */
function endBefore(line: Buffer, start: number, place: number): number {
  let end = place;
  while (end > start && (isWithinCharacter(line, end) || isNearEscape(line, end))) end--;
  return Math.max(start, end);
}

/** Returns the first position from `place` on that splits no character or escape. */
function beginningAfter(line: Buffer, place: number, end: number): number {
  let start = place;
  while (start < end && (isWithinCharacter(line, start) || isNearEscape(line, start))) start++;
  return start;
}

function isWithinCharacter(line: Buffer, place: number): boolean {
  return ((line[place] ?? 0) & 0xc0) === 0x80;
}

/** True if an escape may span the position, or belong to the same character as the escape after it. */
function isNearEscape(line: Buffer, place: number): boolean {
  for (let index = place - longestEscape; index < place; index++) if (line[index] === backslash) return true;
  return false;
}
