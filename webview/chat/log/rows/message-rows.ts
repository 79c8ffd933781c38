import type { ChatRow } from '../../../../src/protocol/chat-rows.ts';
import type { ChatState } from '../../../../src/protocol/chat.ts';
import { isMessageRow, shownMessageOf, type MessageRow } from '../../../../src/protocol/shown-messages.ts';

/** Id of the first message in the exchange of a row: the message with the call, or the row's own message. */
export function openingMessageOf(row: MessageRow): string {
  return row.type === 'tool' ? (row.callerId ?? row.messageId ?? row.id) : row.id;
}

/** Consecutive rows whose messages the user hid, shown as one line. */
export interface HiddenRows {
  readonly type: 'hidden';
  /** Id of the first hidden row. */
  readonly id: string;
  /** The rows, at least one. */
  readonly rows: readonly MessageRow[];
  /** Ids of the messages to show again. The result of a call comes with the call. */
  readonly messageIds: readonly string[];
}

/** Knows which rows have their message in context. */
export class ContextMarks {
  private hiddenIds: ChatState['hidden'];
  private absentIds: ChatState['absent'];
  private hidden: ReadonlySet<string> = new Set();
  private absent: ReadonlySet<string> = new Set();

  /** Updates the marks. Callers pass the same lists until the lists change. */
  update({ hidden, absent }: Pick<ChatState, 'hidden' | 'absent'>): void {
    if (hidden !== this.hiddenIds) this.hidden = new Set(hidden);
    if (absent !== this.absentIds) this.absent = new Set(absent);
    [this.hiddenIds, this.absentIds] = [hidden, absent];
  }

  isHidden(row: ChatRow): row is MessageRow {
    if (this.hidden.size === 0 || !isMessageRow(row)) return false;
    return this.hidden.has(shownMessageOf(row) ?? '') || this.hidden.has(openingMessageOf(row));
  }

  isInContext(row: ChatRow): row is MessageRow {
    if (!isMessageRow(row)) return false;
    const id = shownMessageOf(row);
    return id !== undefined && !this.absent.has(id) && !this.isHidden(row);
  }

  /** The rows, with consecutive hidden rows folded into lines. */
  folded(rows: readonly ChatRow[]): readonly (ChatRow | HiddenRows)[] {
    if (this.hidden.size === 0) return rows;
    const items: (ChatRow | HiddenRows)[] = [];
    let run: MessageRow[] = [];
    const end = () => {
      const [first] = run;
      if (first !== undefined) {
        items.push({ type: 'hidden', id: first.id, rows: run, messageIds: this.shownTogether(run) });
      }
      run = [];
    };
    for (const row of rows) {
      if (this.isHidden(row)) run.push(row);
      else {
        end();
        items.push(row);
      }
    }
    end();
    return items;
  }

  private shownTogether(rows: readonly MessageRow[]): readonly string[] {
    const ids = rows.map((row) => {
      const opening = openingMessageOf(row);
      return this.hidden.has(opening) ? opening : (shownMessageOf(row) ?? opening);
    });
    return [...new Set(ids)];
  }
}
