import type { ChatRow } from '../../../../src/protocol/chat-rows.ts';
import type { ChatState } from '../../../../src/protocol/chat.ts';
import { isMessageRow, shownMessageOf, type MessageRow } from '../../../../src/protocol/shown-messages.ts';

/** Id of the message that opens the exchange of a row: the one with the call, or the message itself. */
export function openingMessageOf(row: MessageRow): string {
  return row.type === 'tool' ? (row.callerId ?? row.messageId ?? row.id) : row.id;
}

/** Rows next to each other whose messages a person hid, and which are one line. */
export interface HiddenRows {
  readonly type: 'hidden';
  /** Id of the first row. */
  readonly id: string;
  /** At least one. */
  readonly rows: readonly MessageRow[];
  /** Ids of the messages to show again; a call brings its results along. */
  readonly messageIds: readonly string[];
}

/** Tells of each row if its message is in the context. */
export class ContextMarks {
  private hiddenIds: ChatState['hidden'];
  private absentIds: ChatState['absent'];
  private hidden: ReadonlySet<string> = new Set();
  private absent: ReadonlySet<string> = new Set();

  /** The lists stay the same objects until something in them changes. */
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

  /** The rows, with those that are hidden folded where they are next to each other. */
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
