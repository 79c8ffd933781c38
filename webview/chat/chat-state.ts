import type { ChatRow } from '../../src/protocol/chat-rows.ts';
import type { ChatChange, ChatNotification, ChatState } from '../../src/protocol/chat.ts';
import { fieldsOf, stringOrNone, stringsIn } from '../shared/host.ts';
import type { ScrollAnchor } from './log/sticky-scroll.ts';

/** The view's copy of the host's state. Reports when it has missed an update. */
export class SessionCopy {
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

  /** @returns true if the state is another one now */
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

/** Maximum characters of a running action's output kept by the view, from the end. */
const longest = 20_000;
/** Characters left after a cut, so that most new output is only appended. */
const shortened = 15_000;

/** The end of an output, from the beginning of a line if there is one. */
function outputTail(output: string): string {
  if (output.length <= longest) return output;
  const tail = output.slice(-shortened);
  const lineEnd = tail.indexOf('\n');
  return lineEnd >= 0 && lineEnd < tail.length - 1 ? tail.slice(lineEnd + 1) : tail;
}

/** The row of a message: what was said in it, the call it is the result of, or its own first call. */
export function rowOfMessage(rows: readonly ChatRow[], messageId: string): ChatRow | undefined {
  return (
    rows.find(({ id }) => id === messageId) ??
    rows.find((row) => row.type === 'tool' && row.messageId === messageId) ??
    rows.find(({ id }) => id.startsWith(`${messageId}:`))
  );
}

/** The message a person is editing. */
interface EditedText {
  readonly messageId: string;
  readonly text: string;
}

/** The state the page keeps while it is hidden. */
export interface ChatViewState {
  /** The session that the rest belongs to. */
  readonly sessionId?: string | undefined;
  readonly draft: string;
  readonly open: readonly string[];
  readonly edited?: EditedText | undefined;
  /** Undefined while the log follows the conversation. */
  readonly anchor?: ScrollAnchor | undefined;
}

export function parseViewState(saved: unknown): ChatViewState {
  const { sessionId, draft, open, edited, anchor } = fieldsOf(saved);
  const { messageId, text } = fieldsOf(edited);
  const { row, offset } = fieldsOf(anchor);
  return {
    sessionId: stringOrNone(sessionId),
    draft: stringOrNone(draft) ?? '',
    open: stringsIn(open),
    edited: typeof messageId === 'string' && typeof text === 'string' ? { messageId, text } : undefined,
    anchor:
      typeof row === 'string' && typeof offset === 'number' && Number.isFinite(offset)
        ? { row, offset }
        : undefined,
  };
}
