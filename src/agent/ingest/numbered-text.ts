/** A text whose lines can be asked for by number, counted from 1. A long line counts as several. */
export interface NumberedText {
  readonly text: string;
  /** Number of lines; an empty text has one. */
  readonly count: number;
  /** Where a line begins, in characters. */
  readonly startOf: (number: number) => number;
  /** One line, without what ends it. */
  readonly line: (number: number) => string;
  /** The lines from one to another, both included, as they stand in the text. */
  readonly between: (first: number, last: number) => string;
  /** The number of the line that a position, in characters, is in. */
  readonly numberAt: (position: number) => number;
}

/** Characters after which a line is broken in two, so that even a text without line feeds can be read in parts. */
export const longestLine = 1_000;

/** Numbers the lines of a text. Costs one pass over it. */
export function numberLines(text: string): NumberedText {
  const starts = startsOfLines(text);
  const startOf = (number: number) => starts[number - 1] ?? text.length;
  const between = (first: number, last: number) => text.slice(startOf(first), startOf(last + 1));
  return {
    text,
    count: starts.length,
    startOf,
    between,
    line: (number) => between(number, number).replace(/\r?\n$/u, ''),
    numberAt(position) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((starts[middle] ?? 0) <= position) low = middle;
        else high = middle - 1;
      }
      return low + 1;
    },
  };
}

function startsOfLines(text: string): readonly number[] {
  const starts = [0];
  for (let start = 0; start < text.length;) {
    const lineFeed = text.indexOf('\n', start);
    const end = lineFeed < 0 ? text.length : lineFeed;
    for (start = breakBehind(text, start); start < end; start = breakBehind(text, start)) starts.push(start);
    start = lineFeed < 0 ? text.length : lineFeed + 1;
    if (start < text.length) starts.push(start);
  }
  return starts;
}

/** Where a line that begins here is broken; never through a character. */
function breakBehind(text: string, start: number): number {
  const end = start + longestLine;
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end;
}
