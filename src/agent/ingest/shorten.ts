import { namesError, tellsExitStatus } from '../../compaction/ledger/result-facts.ts';
import { ellipsised, headOf, tailOf } from '../../compaction/text/clip.ts';
import { omission } from '../../compaction/text/placeholder.ts';

/** Share of the room for failures from the middle. The beginning and the end get the rest. */
const failuresShare = 0.3;
/** Maximum characters shown of a line with a failure. */
const longestFailure = 300;

interface Shortening {
  readonly numbered: NumberedText;
  readonly telling: TellingLines;
  /** Id of the message by which `recall` finds the whole text. */
  readonly messageId: string;
  readonly headline: string;
}

/** Shortens a text to a headline, its ends, a note on the omitted part, and its failures. @param room characters */
export function shorten({ numbered, telling, messageId, headline }: Shortening, room: number): string {
  const { text } = numbered;
  const share = Math.floor(room * (1 - failuresShare));
  const widest = missingIn(numbered, share);
  const failures = failuresIn(numbered, telling, widest, room - share);
  const { headEnd, tailStart, first, last } = missingIn(numbered, room - failures.length);
  const isMissing = (number: number) => number >= first && number <= last;
  const warnings = telling.warnings.filter(isMissing).length;
  const notes = [
    ...(warnings === 0 ? [] : [`${warnings} of them ${warnings === 1 ? 'is a warning' : 'are warnings'}`]),
    ...(failures.text === '' ? [] : ['these are among them, each with its number']),
  ];
  const how = ', in parts with start_line and end_line, or those that hold a text with search';
  const left = omission(
    messageId,
    `lines ${first}–${last} of ${numbered.count}`,
    `${how}${notes.map((note) => `; ${note}`).join('')}`,
  );
  const head = text.slice(0, headEnd).replace(/\r?\n$/u, '');
  return [`[${headline}]`, head, left, failures.text, text.slice(tailStart)]
    .filter((part) => part !== '')
    .join('\n');
}

/** Bounds of the omitted part: positions in characters, and numbers of its lines, which may be partly shown. */
interface Missing {
  readonly headEnd: number;
  readonly tailStart: number;
  readonly first: number;
  readonly last: number;
}

function missingIn(numbered: NumberedText, room: number): Missing {
  const { text } = numbered;
  const half = Math.floor(room / 2);
  const headLine = numbered.startOf(numbered.numberAt(half));
  const headEnd = headLine >= half / 2 ? headLine : headOf(text, half).length;
  const tailLine = numbered.startOf(numbered.numberAt(Math.max(0, text.length - half - 1)) + 1);
  const isLineNear = text.length - tailLine >= half / 2;
  const tailStart = isLineNear ? tailLine : text.length - tailOf(text, half).length;
  return {
    headEnd,
    tailStart,
    first: numbered.numberAt(headEnd),
    last: numbered.numberAt(Math.max(headEnd, tailStart - 1)),
  };
}

function failuresIn(
  numbered: NumberedText,
  { failures }: TellingLines,
  { first, last }: Missing,
  room: number,
): { readonly text: string; readonly length: number } {
  const missing = failures.filter((number) => number >= first && number <= last);
  const lines: string[] = [];
  let length = 0;
  for (const number of missing) {
    const line = numbered.line(number).trim();
    const shown = ellipsised(line, longestFailure);
    const numberedLine = `${number}: ${shown}`;
    if (length + numberedLine.length + 1 > room) break;
    lines.push(numberedLine);
    length += numberedLine.length + 1;
  }
  const others = missing.length - lines.length;
  if (lines.length > 0 && others > 0) lines.push(`[… ${others} more lines like these …]`);
  return { text: lines.join('\n'), length };
}

/** Numbers of the lines that are shown or counted when a long output is shortened, in ascending order. */
interface TellingLines {
  /** Errors, failed tests and exit codes. Only the first of equal lines is listed. */
  readonly failures: readonly number[];
  readonly warnings: readonly number[];
}

const warning = /\bwarn(?:ing)?s?\b/iu;
/** Tools whose results are existing text. An error that a file mentions is not a failure. */
const readingTools: ReadonlySet<string> = new Set([
  'read_file',
  'list_directory',
  'find_files',
  'search_text',
  'search_history',
  'recall',
]);

/** @param tool name of the tool that produced the text */
export function tellingLines(numbered: NumberedText, tool: string): TellingLines {
  if (readingTools.has(tool)) return { failures: [], warnings: [] };
  const failures: number[] = [];
  const warnings: number[] = [];
  const known = new Set<string>();
  for (let number = 1; number <= numbered.count; number++) {
    const line = numbered.line(number);
    if (namesError(line) || tellsExitStatus(line)) {
      const text = line.trim();
      if (!known.has(text)) failures.push(number);
      known.add(text);
    } else if (warning.test(line)) warnings.push(number);
  }
  return { failures, warnings };
}

/** A text whose lines can be requested by number, from 1. A very long line counts as several lines. */
export interface NumberedText {
  readonly text: string;
  readonly count: number;
  readonly startOf: (number: number) => number;
  readonly line: (number: number) => string;
  /** Returns the lines of an inclusive range, unchanged. */
  readonly between: (first: number, last: number) => string;
  /** Returns the number of the line at a position in characters. */
  readonly numberAt: (position: number) => number;
}

/** Maximum characters of a line before it is split, so that even text without line feeds can be read in parts. */
export const longestLine = 1_000;

/** Numbers the lines of a text in one pass. */
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

/** Returns the position at which a long line is split. It is never inside a character. */
function breakBehind(text: string, start: number): number {
  return headOf(text, start + longestLine).length;
}
