import { closestRegion, differenceOf } from './closest-region.ts';
import { EditMismatchError } from './file-editor.ts';
import {
  contentOf,
  lineEndOf,
  lineRange,
  linesWithEnds,
  numberedLines,
  splitByteOrderMark,
  withLineFeeds,
} from './line-diff.ts';
import { withoutEnd } from '../../compaction/text/clip.ts';
import { type ModelText, toModel } from '../../language/sentence.ts';

/** A string to find, and its replacement. */
export interface SearchReplace {
  readonly search: string;
  readonly replace: string;
  /** True to replace every occurrence. Otherwise exactly one must exist. */
  readonly all?: boolean | undefined;
}

const mostCounted = 100;
const mostNamed = 10;
const mostShown = 12;
/** Minimum characters of a replacement that does not occur in a file by chance. */
const leastTelling = 16;

/** Makes exact replacements in order. Line ends and byte order mark may differ. @throws {EditMismatchError} */
export function replaceAll(text: string, edits: readonly SearchReplace[]): string {
  const [mark, body] = splitByteOrderMark(text);
  return (
    mark +
    edits.reduce((current, edit, index) => {
      const name = edits.length === 1 ? 'The search text' : `The search text of edit ${index + 1}`;
      return replaceOne(current, edit, name);
    }, body)
  );
}

function replaceOne(text: string, { search, replace, all = false }: SearchReplace, name: string): string {
  const wanted = withLineFeeds(splitByteOrderMark(search)[1]);
  const instead = withLineFeeds(replace);
  if (wanted === '') throw new EditMismatchError(toModel`${name} is empty. write_file writes a whole file.`);
  if (wanted === instead) throw new EditMismatchError(toModel`${name} is the same as its replacement.`);
  const starts = startsOf(text, wanted);
  if (starts.length === 0) throw new EditMismatchError(whyAbsent(text, wanted, instead, name));
  if (!all && starts.length > 1) throw new EditMismatchError(whyAmbiguous(text, starts, name));
  const lineEnd = lineEndOf(text);
  const parts: string[] = [];
  let position = 0;
  for (const { start, end } of occurrencesOf(wanted, text)) {
    parts.push(text.slice(position, start), withLineEndsOf(text.slice(start, end), instead, lineEnd));
    position = end;
  }
  return parts.join('') + text.slice(position);
}

interface Occurrence {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the places of a text, regardless of line ends.
 * @param wanted text with line feeds
 * @param canOverlap true to include overlapping places
 */
function* occurrencesOf(wanted: string, text: string, canOverlap = false): Generator<Occurrence> {
  const [head = '', ...rest] = wanted.split('\n');
  // A search text with an empty first line begins at a line end.
  const anchor = head === '' ? '\n' : head;
  for (let found = text.indexOf(anchor); found >= 0;) {
    const start = head === '' && text[found - 1] === '\r' ? found - 1 : found;
    const end = endOf(rest, text, start + head.length);
    if (end !== undefined) yield { start, end };
    found = text.indexOf(anchor, end === undefined || canOverlap ? found + 1 : end);
  }
}

/** Returns the end of lines if they follow a position, each after a line end; otherwise undefined. */
function endOf(lines: readonly string[], text: string, from: number): number | undefined {
  let position = from;
  for (const line of lines) {
    if (text[position] === '\r') position++;
    if (text[position] !== '\n' || !text.startsWith(line, position + 1)) return undefined;
    position += 1 + line.length;
  }
  return position;
}

function startsOf(text: string, wanted: string): readonly number[] {
  const starts: number[] = [];
  for (const { start } of occurrencesOf(wanted, text, true)) {
    starts.push(start);
    if (starts.length >= mostCounted) break;
  }
  return starts;
}

/** Gives a replacement the line ends of the replaced text, in order, or else the line end of the file. */
function withLineEndsOf(found: string, instead: string, lineEnd: string): string {
  if (!instead.includes('\n')) return instead;
  const ends = found.match(/\r?\n/g) ?? [];
  let next = 0;
  return instead.replaceAll('\n', () => ends[next++] ?? ends.at(-1) ?? lineEnd);
}

function whyAmbiguous(text: string, starts: readonly number[], name: string): ModelText {
  const lines = starts.slice(0, mostNamed).map((start) => lineNumberAt(text, start));
  const times = starts.length < mostCounted ? `${starts.length}` : `at least ${mostCounted}`;
  const more = starts.length > mostNamed ? ' and others' : '';
  return toModel`${name} occurs ${times} times, at lines ${lines.join(', ')}${more}. Take in more of the lines around the one that is meant, or set all to replace every one.`;
}

function lineNumberAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function whyAbsent(text: string, wanted: string, instead: string, name: string): ModelText {
  const plain = withLineFeeds(text);
  const isThere = (candidate: string) => candidate !== '' && plain.includes(candidate);
  const unnumbered = withoutNumbers(wanted);
  if (unnumbered !== undefined && isThere(unnumbered)) {
    return toModel`${name} has line numbers in front of its lines. They are not part of the file: leave them out.`;
  }
  if (instead.trim().length >= leastTelling && isThere(instead)) {
    const at = lineNumberAt(plain, plain.indexOf(instead));
    return toModel`${name} does not occur, but its replacement does, at line ${at}: the edit was probably made already.`;
  }
  if (isThere(withoutEnd(wanted, '\n'))) {
    return toModel`${name} ends with more line ends than the file has there. Leave them out at its end.`;
  }
  const lines = linesWithEnds(plain);
  const searched = linesWithEnds(unnumbered ?? wanted).map(contentOf);
  const region = closestRegion(lines.map(contentOf), searched);
  if (region === undefined)
    return toModel`${name} does not occur, and nothing like it was found. Read the file again.`;
  const { start, end } = region;
  const difference = differenceOf(lines.map(contentOf), searched, start);
  const shownEnd = Math.min(end, start + mostShown);
  const shown = numberedLines(lines, start, shownEnd).join('\n');
  return toModel`${name} does not occur. Closest to it: ${lineRange(start, shownEnd)}. ${difference}\n\n${shown}`;
}

/** Removes the line numbers that tools show; undefined if a line has no number. */
function withoutNumbers(text: string): string | undefined {
  const lines = text.split('\n');
  const number = /^\s*\d+(?:\t|[|:→] ?)/;
  const isNumbered = lines.every((line, index) => number.test(line) || (line === '' && index > 0));
  return isNumbered ? lines.map((line) => line.replace(number, '')).join('\n') : undefined;
}
