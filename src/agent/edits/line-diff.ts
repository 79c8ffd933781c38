import { diffArrays } from 'diff';
import { linesOf } from './lines.ts';

/** Lines that others stand for now. All numbers are indices; an end is behind the last. */
export interface LineChange {
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/**
 * Lines that may differ before a comparison counts everything between the first and the last difference as
 * replaced. Its cost grows with the square of this: about a tenth of a second at most.
 */
const mostEdits = 1_000;

/** What differs between two lists of lines, first to last: as few lines as possible. */
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

/** How many lines a change adds and removes. */
export function lineCounts(
  before: string,
  after: string,
): { readonly added: number; readonly removed: number } {
  let added = 0;
  let removed = 0;
  for (const change of lineChanges(linesOf(before), linesOf(after))) {
    added += change.afterEnd - change.afterStart;
    removed += change.beforeEnd - change.beforeStart;
  }
  return { added, removed };
}

/** How many in a row are the same, beginning at one end. */
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
