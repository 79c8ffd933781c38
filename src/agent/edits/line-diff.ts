import { diffArrays } from 'diff';
import { ellipsised } from '../../compaction/text/clip.ts';
import type { EditedFile } from '../../compaction/messages/message.ts';
import type { FileChange } from './file-editor.ts';

/** Splits text into lines with their line ends; the last line may have none. */
export function linesWithEnds(text: string): readonly string[] {
  return text.match(/[^\n]+\n?|\n/g) ?? [];
}

/** Returns a line without its line end. */
export function contentOf(line: string): string {
  if (line.endsWith('\r\n')) return line.slice(0, -2);
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}

type LineEnd = '\n' | '\r\n';

/** Returns the most common line end of a text; by default a line feed. */
export function lineEndOf(text: string): LineEnd {
  const all = text.match(/\n/g)?.length ?? 0;
  const withReturn = text.match(/\r\n/g)?.length ?? 0;
  return withReturn > all - withReturn ? '\r\n' : '\n';
}

/** Converts line ends to line feeds. Keeps a carriage return inside a line. */
export function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

const byteOrderMark = '\ufeff';

/** Splits text into its byte order mark (or an empty string) and the rest. */
export function splitByteOrderMark(text: string): readonly [mark: string, body: string] {
  return text.startsWith(byteOrderMark) ? [byteOrderMark, text.slice(1)] : ['', text];
}

const longestLine = 2_000;

/** Returns lines as `read_file` shows them, with number and tab. @param end index after the last line */
export function numberedLines(lines: readonly string[], first: number, end: number): readonly string[] {
  return lines
    .slice(first, end)
    .map((line, index) => `${first + index + 1}\t${ellipsised(contentOf(line), longestLine)}`);
}

/** Describes a range of lines in a sentence: `line 7`, `lines 7–9`. @param first index from 0 @param end exclusive */
export function lineRange(first: number, end: number): string {
  return end - first <= 1 ? `line ${first + 1}` : `lines ${first + 1}–${end}`;
}

/** A range of lines, and the range that replaced it. Indices begin at 0, and ends are exclusive. */
interface LineChange {
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/** Maximum number of differing lines, because the cost grows with its square. With more, all lines are replaced. */
const mostEdits = 1_000;

/** Finds the smallest set of changed lines between two lists, in order. */
export function lineChanges(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const head = commonLength(before, after, (index) => before[index] === after[index]);
  const tail = Math.min(
    commonLength(before, after, (index) => before.at(-1 - index) === after.at(-1 - index)),
    before.length - head,
    after.length - head,
  );
  const left = before.slice(head, before.length - tail);
  const right = after.slice(head, after.length - tail);
  if (left.length === 0 && right.length === 0) return [];
  const parts =
    left.length === 0 || right.length === 0
      ? undefined
      : diffArrays(left, right, { maxEditLength: mostEdits });
  if (parts === undefined) {
    return [
      {
        beforeStart: head,
        beforeEnd: before.length - tail,
        afterStart: head,
        afterEnd: after.length - tail,
      },
    ];
  }
  const changes: LineChange[] = [];
  let beforeEnd = head;
  let afterEnd = head;
  let open: LineChange | undefined;
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      if (open !== undefined) changes.push(open);
      open = undefined;
    }
    const [beforeStart, afterStart] = [open?.beforeStart ?? beforeEnd, open?.afterStart ?? afterEnd];
    if (!added) beforeEnd += count;
    if (!removed) afterEnd += count;
    if (added || removed) open = { beforeStart, beforeEnd, afterStart, afterEnd };
  }
  if (open !== undefined) changes.push(open);
  return changes;
}

/** Counts the lines that a change adds and removes. */
export function lineCounts(
  before: string,
  after: string,
): { readonly added: number; readonly removed: number } {
  let added = 0;
  let removed = 0;
  for (const change of lineChanges(linesWithEnds(before), linesWithEnds(after))) {
    added += change.afterEnd - change.afterStart;
    removed += change.beforeEnd - change.beforeStart;
  }
  return { added, removed };
}

function commonLength(
  one: readonly string[],
  other: readonly string[],
  isSame: (index: number) => boolean,
): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && isSame(length)) length++;
  return length;
}

/** Marker after a line without a line end. */
const noLineEnd = '\\ No newline at end of file';

/** Returns the differences as hunks without file names; empty if equal. Keeps carriage returns. @param context lines */
export function unifiedDiff(before: string, after: string, context = 3): string {
  const left = linesWithEnds(before);
  const right = linesWithEnds(after);
  const written: string[] = [];
  for (const group of grouped(lineChanges(left, right), context)) {
    const first = group[0]!;
    const last = group.at(-1)!;
    const head = Math.min(context, first.beforeStart);
    const tail = Math.min(context, left.length - last.beforeEnd);
    const beforeStart = first.beforeStart - head;
    const beforeLength = last.beforeEnd + tail - beforeStart;
    const afterStart = first.afterStart - head;
    const afterLength = last.afterEnd + tail - afterStart;
    written.push(
      `@@ -${startOf(beforeStart, beforeLength)},${beforeLength} +${startOf(afterStart, afterLength)},${afterLength} @@\n`,
    );
    let position = beforeStart;
    for (const change of group) {
      for (const line of left.slice(position, change.beforeStart)) written.push(marked(' ', line));
      for (const line of left.slice(change.beforeStart, change.beforeEnd)) written.push(marked('-', line));
      for (const line of right.slice(change.afterStart, change.afterEnd)) written.push(marked('+', line));
      position = change.beforeEnd;
    }
    for (const line of left.slice(position, position + tail)) written.push(marked(' ', line));
  }
  return written.join('');
}

function grouped(changes: readonly LineChange[], context: number): readonly (readonly LineChange[])[] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    const isNear = previous !== undefined && change.beforeStart - previous.beforeEnd <= 2 * context;
    if (isNear) group?.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** Returns a range's first line number, from 1; for an empty range, the number of the line before it. */
function startOf(index: number, length: number): number {
  return length === 0 ? index : index + 1;
}

function marked(mark: string, line: string): string {
  return line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n${noLineEnd}\n`;
}

/** Describes a changed file with the numbers of added and removed lines. */
export function editedFile({ shown, before, after }: FileChange): EditedFile {
  const { added, removed } = lineCounts(before ?? '', after ?? '');
  const change = before === undefined ? 'created' : after === undefined ? 'deleted' : 'modified';
  return { path: shown, change, added, removed };
}
