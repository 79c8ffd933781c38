import { lineChanges, type LineChange } from './line-diff.ts';
import { linesOf } from './lines.ts';

/** Stands behind a line that has no line end. */
export const noLineEnd = '\\ No newline at end of file';

/**
 * What differs between two texts: hunks with their headings, without the names of files. Empty where nothing does.
 * Carriage returns stay in the lines, so that nothing of a difference is lost.
 *
 * @param context lines shown around each change
 */
export function unifiedDiff(before: string, after: string, context = 3): string {
  const left = linesOf(before);
  const right = linesOf(after);
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

/** Changes whose surroundings touch share a hunk. */
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

/** Lines count from 1; an empty stretch is named by the line before it. */
function startOf(index: number, length: number): number {
  return length === 0 ? index : index + 1;
}

function marked(mark: string, line: string): string {
  return line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n${noLineEnd}\n`;
}
