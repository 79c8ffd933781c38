import type { ChatChange, ChatNotification, ChatState } from '../../src/protocol/chat.ts';
import type { ChatRow } from '../../src/protocol/chat-rows.ts';
import { outputTail } from './output-tail.ts';

/** The view's copy of the host's state. Says when it has missed something. */
export class Session {
  private readonly requestSnapshot: () => void;
  private revision: number | undefined;
  private isWaiting = false;
  private current: ChatState | undefined;

  constructor(requestSnapshot: () => void) {
    this.requestSnapshot = requestSnapshot;
  }

  get state(): ChatState | undefined {
    return this.current;
  }

  /** Asks for everything. Changes are of no use until it has come. */
  refresh(): void {
    this.isWaiting = true;
    this.requestSnapshot();
  }

  /** @returns true where the state is another one now */
  receive(notification: Extract<ChatNotification, { revision: number }>): boolean {
    if (notification.type === 'snapshot') {
      this.isWaiting = false;
      this.revision = notification.revision;
      this.current = notification.state;
      return true;
    }
    if (this.isWaiting) return false;
    if (this.current === undefined || notification.revision !== (this.revision ?? 0) + 1) {
      this.refresh();
      return false;
    }
    this.revision = notification.revision;
    this.current = applyChanges(this.current, notification.changes);
    return true;
  }
}

/** The state after some changes. Rows that did not change are the same objects as before. */
export function applyChanges(state: ChatState, changes: readonly ChatChange[]): ChatState {
  let next = state;
  let rows: ChatRow[] | undefined;
  for (const change of changes) {
    if (change.type === 'state') {
      next = { ...next, ...change.state };
      continue;
    }
    rows ??= [...state.rows];
    const id = change.type === 'row' ? change.row.id : change.id;
    // The row that changes is nearly always the last one.
    const index = rows.findLastIndex((row) => row.id === id);
    if (change.type === 'row') rows.splice(index < 0 ? rows.length : index, 1, change.row);
    else if (change.type === 'row-removed' && index >= 0) rows.splice(index, 1);
    else {
      const row = rows[index];
      if (change.type === 'text' && row?.type === 'assistant') {
        rows[index] = { ...row, markdown: row.markdown + change.text };
      } else if (change.type === 'reasoning' && row?.type === 'assistant') {
        rows[index] = { ...row, reasoning: row.reasoning + change.text };
      } else if (change.type === 'output' && row?.type === 'tool') {
        rows[index] = { ...row, output: outputTail((row.output ?? '') + change.text) };
      }
    }
  }
  return rows === undefined ? next : { ...next, rows };
}
