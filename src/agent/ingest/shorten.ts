import { headOf, tailOf } from '../../compaction/text/clip.ts';
import { omission } from '../../compaction/text/placeholder.ts';
import type { NumberedText } from './numbered-text.ts';
import type { TellingLines } from './telling-lines.ts';

/** Share of the room for lines out of the middle that tell what went wrong; the rest is for beginning and end. */
const failuresShare = 0.3;
/** Characters of such a line that are shown. */
const longestFailure = 300;

export interface Shortening {
  readonly numbered: NumberedText;
  readonly telling: TellingLines;
  /** Of the message, by which the whole can be recalled. */
  readonly messageId: string;
  /** One line on the whole of it. */
  readonly headline: string;
}

/**
 * A text as its headline, its beginning, what is left out and how to get it, the lines in there that tell what went
 * wrong, and its end.
 *
 * @param room characters for what is taken from the text
 */
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

/** What stays at either end, as positions in characters, and the lines that are missing between, in part or whole. */
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

/** The first failures that fit, each with its number; where some do not, how many. */
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
    const shown = line.length <= longestFailure ? line : `${headOf(line, longestFailure - 1)}…`;
    const numberedLine = `${number}: ${shown}`;
    if (length + numberedLine.length + 1 > room) break;
    lines.push(numberedLine);
    length += numberedLine.length + 1;
  }
  const others = missing.length - lines.length;
  if (lines.length > 0 && others > 0) lines.push(`[… ${others} more lines like these …]`);
  return { text: lines.join('\n'), length };
}
