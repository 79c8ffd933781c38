import type { AssistantRow, ChatRow, ToolRow, UserRow } from '../../../../src/protocol/chat-rows.ts';
import type { ChatState } from '../../../../src/protocol/chat.ts';

/** Length of the excerpt of a message, in characters. */
const excerptLength = 120;

/** A row that shows a message: what was said, or a call with its result. */
export type MessageRow = UserRow | AssistantRow | ToolRow;

export function isMessageRow(row: ChatRow): row is MessageRow {
  return row.type === 'user' || row.type === 'assistant' || row.type === 'tool';
}

/** Id of the message that a row shows, for a call that of its result; undefined if there is no such message yet. */
export function messageOf(row: MessageRow): string | undefined {
  switch (row.type) {
    case 'user':
      return row.id;
    case 'assistant':
      return row.isPinned === undefined ? undefined : row.id;
    case 'tool':
      return row.messageId;
  }
}

/** Id of the message that opens the exchange of a row: the one with the call, or the message itself. */
export function openingOf(row: MessageRow): string {
  return row.type === 'tool' ? (row.callerId ?? row.messageId ?? row.id) : row.id;
}

/** The beginning of what a row shows, on one line. */
export function excerptOf(row: MessageRow): string {
  const text =
    row.type === 'user' ? row.text : row.type === 'assistant' ? row.markdown : `${row.tool} ${row.label}`;
  return text
    .slice(0, 2 * excerptLength)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, excerptLength);
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
    return this.hidden.has(messageOf(row) ?? '') || this.hidden.has(openingOf(row));
  }

  isInContext(row: ChatRow): row is MessageRow {
    if (!isMessageRow(row)) return false;
    const id = messageOf(row);
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
      const opening = openingOf(row);
      return this.hidden.has(opening) ? opening : (messageOf(row) ?? opening);
    });
    return [...new Set(ids)];
  }
}
