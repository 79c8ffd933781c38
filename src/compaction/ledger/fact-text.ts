/** Longest text, in characters, that is kept as one fact. */
const longestFact = 400;

/** A fact on one line: white space folded, the end of an overlong text left out. */
export function factText(text: string): string {
  const line = text
    .slice(0, 4 * longestFact)
    .replace(/\s+/gu, ' ')
    .trim();
  return line.length <= longestFact ? line : line.slice(0, longestFact).trimEnd();
}
