import type { ChatRow } from '../../protocol/chat-rows.ts';
import type { ChatChange, ChatState } from '../../protocol/chat.ts';
import { excerptOf, isMessageRow, shownMessageOf } from '../../protocol/shown-messages.ts';

/** Maximum number of rows sent to a page at once, and their approximate maximum size in bytes. */
const mostRows = 200;
const mostBytes = 100_000;

/** The rows that a page has: the newest rows, and the earlier rows it requested. Keeps pages of long sessions small. */
export class ChatWindow {
  /** Ids of the rows that the page does not have. They precede all rows that it has. */
  private readonly missing = new Set<string>();

  /** Returns the rows that a new page shows. */
  open(rows: readonly ChatRow[], pins: readonly string[]): Pick<ChatState, 'rows' | 'earlier' | 'pinTexts'> {
    const start = Math.min(startOfBatch(rows), firstUnfinished(rows));
    this.leaveOut(rows.slice(0, start));
    return { rows: rows.slice(start), earlier: start, pinTexts: this.pinTexts(rows, pins) };
  }

  /** Returns the next batch of earlier rows, back to a named row. @returns undefined if the page has all rows */
  earlier(rows: readonly ChatRow[], through?: string): ChatChange | undefined {
    const end = rows.findIndex(({ id }) => !this.missing.has(id));
    if (end <= 0) return undefined;
    const before = rows.slice(0, end);
    const wanted = before.findIndex(({ id }) => id === through);
    const start = Math.min(startOfBatch(before), wanted < 0 ? end : wanted);
    for (const { id } of before.slice(start)) this.missing.delete(id);
    return { type: 'earlier', rows: before.slice(start), earlier: start };
  }

  /** Removes the rows before a row, because the page has discarded them. */
  startAt(rows: readonly ChatRow[], first: string): void {
    const start = rows.findIndex(({ id }) => id === first);
    if (start > 0) this.leaveOut(rows.slice(0, start));
  }

  isMissing(rowId: string): boolean {
    return this.missing.has(rowId);
  }

  /** Returns only the changes to rows that the page has. */
  concerning(changes: readonly ChatChange[]): readonly ChatChange[] {
    if (this.missing.size === 0) return changes;
    return changes.filter((change) => {
      const id = change.type === 'row' ? change.row.id : 'id' in change ? change.id : undefined;
      if (id === undefined) return true;
      const concerns = !this.missing.has(id);
      // If a removed row is added again, it moves to the end.
      if (change.type === 'row-removed') this.missing.delete(id);
      return concerns;
    });
  }

  /** Beginnings of the pinned messages whose rows the page does not have, by their ids. */
  pinTexts(rows: readonly ChatRow[], pins: readonly string[]): Readonly<Record<string, string>> {
    const pinned = new Set(pins);
    return Object.fromEntries(
      rows.flatMap((row) => {
        const id = this.missing.has(row.id) && isMessageRow(row) ? shownMessageOf(row) : undefined;
        return id !== undefined && isMessageRow(row) && pinned.has(id) ? [[id, excerptOf(row)] as const] : [];
      }),
    );
  }

  private leaveOut(rows: readonly ChatRow[]): void {
    this.missing.clear();
    for (const { id } of rows) this.missing.add(id);
  }
}

/** Index of the first row of the last batch. A batch has at least one row, even one above the limit. */
function startOfBatch(rows: readonly ChatRow[]): number {
  let bytes = 0;
  let start = rows.length;
  while (start > 0 && rows.length - start < mostRows) {
    bytes += Buffer.byteLength(JSON.stringify(rows[start - 1]));
    if (bytes > mostBytes && start < rows.length) break;
    start--;
  }
  return start;
}

/** Index of the first row that is still changing or waits for the user. */
function firstUnfinished(rows: readonly ChatRow[]): number {
  const first = rows.findIndex(
    (row) =>
      (row.type === 'tool' && (row.state === 'running' || row.state === 'waiting')) ||
      (row.type === 'assistant' && row.state === 'streaming'),
  );
  return first < 0 ? rows.length : first;
}
