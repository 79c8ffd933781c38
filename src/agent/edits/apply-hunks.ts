import { closestRegion, differenceOf } from './closest-region.ts';
import { EditMismatchError } from './file-editor.ts';
import {
  contentOf,
  lineEndOf,
  lineRange,
  linesWithEnds,
  numberedLines,
  splitByteOrderMark,
} from './line-diff.ts';
import { type ModelText, toModel } from '../../language/sentence.ts';

/** The changes that a patch makes to one file, with paths as in the patch. */
export type FilePatch =
  | { readonly type: 'add'; readonly path: string; readonly text: string }
  | { readonly type: 'delete'; readonly path: string }
  | {
      readonly type: 'update';
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly Hunk[];
    };

/** A change in a file, with the lines around it. */
export interface Hunk {
  readonly headings: readonly string[];
  readonly lines: readonly HunkLine[];
  readonly isAtEnd: boolean;
}

export interface HunkLine {
  readonly kind: 'context' | 'added' | 'removed';
  readonly text: string;
}

const mostShown = 12;
const mostNamed = 10;
/** Minimum characters of a text that does not occur in a file by chance. */
const leastTelling = 16;

/**
 * Applies a patch to one file. A hunk must match in one place after the previous hunk. If it matches in
 * several, its headings decide. Line ends and byte order mark are kept.
 * @throws {EditMismatchError} names the hunk and its lines
 */
export function applyHunks(shown: string, text: string, hunks: readonly Hunk[]): string {
  const [mark, body] = splitByteOrderMark(text);
  const lines = linesWithEnds(body);
  const contents = lines.map(contentOf);
  const lineEnd = lineEndOf(body);
  const written: string[] = [];
  let position = 0;
  let keepsEnd = false;
  for (const [index, given] of hunks.entries()) {
    const hunk = withoutMark(given);
    const old = hunk.lines.filter(({ kind }) => kind !== 'added');
    const wanted = old.map((line) => contentOf(line.text));
    const place = placeOf(contents, wanted, hunk, position, `Hunk ${index + 1} of ${shown}`);
    const isExact =
      old.length === 0 ? lines.length === 0 : old.every((line, at) => line.text === lines[place + at]);
    for (let at = position; at < place; at++) written.push(lines[at]!);
    position = place;
    for (const { kind, text: line } of hunk.lines) {
      if (kind === 'added') written.push(isExact ? line : contentOf(line) + lineEnd);
      else if (kind === 'context') written.push(lines[position++]!);
      else position++;
    }
    keepsEnd = position === lines.length && !isExact && lines.length > 0;
  }
  for (let at = position; at < lines.length; at++) written.push(lines[at]!);
  const isOpenEnded = keepsEnd && !body.endsWith('\n');
  return mark + closed(written, lineEnd, isOpenEnded).join('');
}

/** Adds missing line ends, except to the last line. Its end comes from the patch or the old text. */
function closed(lines: readonly string[], lineEnd: string, isOpenEnded: boolean): readonly string[] {
  return lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    if (isLast) return isOpenEnded ? contentOf(line) : line;
    return line.endsWith('\n') ? line : line + lineEnd;
  });
}

/** @throws {EditMismatchError} if there is no matching place, or if several places match */
function placeOf(
  contents: readonly string[],
  wanted: readonly string[],
  hunk: Hunk,
  position: number,
  name: string,
): number {
  const { isAtEnd } = hunk;
  const anchor = anchorOf(contents, hunk.headings, position);
  if (wanted.length === 0) return placeToInsert(contents, hunk, anchor, name);
  const from = anchor?.at ?? position;
  const places = placesOf(contents, wanted, from).filter(
    (place) => !isAtEnd || place + wanted.length === contents.length,
  );
  const [first] = places;
  if (first === undefined) throw new EditMismatchError(whyAbsent(contents, wanted, hunk, from, name));
  if (places.length === 1 || anchor?.isOnly === true) return first;
  const named = places.slice(0, mostNamed).map((place) => place + 1);
  const more = places.length > mostNamed ? ' and others' : '';
  throw new EditMismatchError(
    toModel`${name} fits at lines ${named.join(', ')}${more}. Give it more lines of context, so that it fits in one place.`,
  );
}

function placeToInsert(
  contents: readonly string[],
  { isAtEnd }: Hunk,
  anchor: Anchor | undefined,
  name: string,
): number {
  if (isAtEnd || contents.length === 0) return contents.length;
  if (anchor?.isOnly === true) return anchor.at + 1;
  throw new EditMismatchError(
    toModel`${name} only adds lines and does not say where. Give it the line before or after them, with a space in front.`,
  );
}

interface Anchor {
  /** Index of the last heading, which may also be the first line of the hunk. */
  readonly at: number;
  /** True if each heading occurs in only one place. */
  readonly isOnly: boolean;
}

/** Finds the place of a hunk's headings; undefined if it has no headings, or the file lacks one. */
function anchorOf(
  contents: readonly string[],
  headings: readonly string[],
  position: number,
): Anchor | undefined {
  if (headings.length === 0) return undefined;
  let at = position - 1;
  let isOnly = true;
  for (const heading of headings) {
    const found = [
      indicesOf(contents, at + 1, (line) => line.trim() === heading),
      indicesOf(contents, at + 1, (line) => line.includes(heading)),
    ].find((indices) => indices.length > 0);
    if (found === undefined) return undefined;
    isOnly &&= found.length === 1;
    at = found[0]!;
  }
  return { at, isOnly };
}

function indicesOf(
  contents: readonly string[],
  from: number,
  fits: (line: string) => boolean,
): readonly number[] {
  return contents.flatMap((line, index) => (index >= from && fits(line) ? [index] : []));
}

function placesOf(contents: readonly string[], wanted: readonly string[], from: number): readonly number[] {
  const places: number[] = [];
  for (let place = from; place + wanted.length <= contents.length; place++) {
    if (wanted.every((line, index) => line === contents[place + index])) places.push(place);
  }
  return places;
}

function whyAbsent(
  contents: readonly string[],
  wanted: readonly string[],
  { lines, isAtEnd }: Hunk,
  from: number,
  name: string,
): ModelText {
  const [earlier] = placesOf(contents, wanted, 0);
  if (earlier !== undefined && earlier < from) {
    return toModel`${name} fits at line ${earlier + 1}, which is before its heading or the hunk above it. Hunks go from the top of a file to its end.`;
  }
  if (earlier !== undefined && isAtEnd)
    return toModel`${name} fits at line ${earlier + 1}, but not at the end of the file.`;
  const result = lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => contentOf(text));
  const [already] = placesOf(contents, result, 0);
  if (already !== undefined && result.join('').length >= leastTelling) {
    return toModel`${name} does not fit, but what it makes stands at line ${already + 1}: it was probably applied already.`;
  }
  const region = closestRegion(contents, wanted);
  const at = region?.start ?? from;
  const end = Math.min(contents.length, at + Math.min(wanted.length, mostShown));
  const difference = differenceOf(contents, wanted, at);
  if (region === undefined) return toModel`${name} does not fit anywhere. ${difference} Read the file again.`;
  const shown = numberedLines(contents, at, end).join('\n');
  return toModel`${name} does not fit. Closest to it: ${lineRange(at, end)}. ${difference}\n\n${shown}`;
}

function withoutMark(hunk: Hunk): Hunk {
  const plain = ({ kind, text }: HunkLine): HunkLine => ({ kind, text: splitByteOrderMark(text)[1] });
  return { ...hunk, lines: hunk.lines.map(plain) };
}
