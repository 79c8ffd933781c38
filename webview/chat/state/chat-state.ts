import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import type { ChatChange, ChatNotification, ChatState } from '../../../src/protocol/chat.ts';
import { savedFields, stringOrNone, stringsIn } from '../../shared/host.ts';
import type { ScrollAnchor } from '../log/sticky-scroll.ts';

/** Minimum number of rows that stay on the page, and number of rows that may be added to the first ones. */
const leastRows = 200;
const mostMore = 300;

/** The page's copy of the host's state. Notices missed changes and requests a snapshot. */
export class SessionCopy {
  private readonly requestSnapshot: () => void;
  private revision: number | undefined;
  private isWaiting = false;
  private current: ChatState | undefined;
  /** Number of rows in the last snapshot. */
  private begunWith = 0;
  /** Ids of the discarded rows. */
  private readonly letGo = new Set<string>();

  constructor(requestSnapshot: () => void) {
    this.requestSnapshot = requestSnapshot;
  }

  get state(): ChatState | undefined {
    return this.current;
  }

  /** Requests a snapshot, and ignores changes until it arrives. */
  refresh(): void {
    this.isWaiting = true;
    this.requestSnapshot();
  }

  /** @returns true if the state has changed */
  receive(notification: Extract<ChatNotification, { revision: number }>): boolean {
    if (notification.type === 'snapshot') {
      this.isWaiting = false;
      this.revision = notification.revision;
      this.current = notification.state;
      this.letGo.clear();
      this.begunWith = notification.state.rows.length;
      return true;
    }
    if (this.isWaiting) return false;
    if (this.current === undefined || notification.revision !== (this.revision ?? 0) + 1) {
      this.refresh();
      return false;
    }
    this.revision = notification.revision;
    this.current = applyChanges(this.current, this.concerning(notification.changes));
    return true;
  }

  /**
   * Discards the first rows if there are many more than at the beginning. They can be requested again.
   *
   * @returns id of the first remaining row; undefined if no row was discarded
   */
  letGoOfOld(): string | undefined {
    if (this.current === undefined) return undefined;
    const { rows, earlier = 0 } = this.current;
    const kept = Math.max(leastRows, this.begunWith);
    if (rows.length <= kept + mostMore) return undefined;
    const gone = rows.slice(0, -kept);
    for (const { id } of gone) this.letGo.add(id);
    this.current = { ...this.current, rows: rows.slice(-kept), earlier: earlier + gone.length };
    return rows.at(-kept)?.id;
  }

  /** Leaves out changes of discarded rows, which the host may have sent before it knew. */
  private concerning(changes: readonly ChatChange[]): readonly ChatChange[] {
    for (const change of changes) {
      if (change.type === 'earlier') for (const { id } of change.rows) this.letGo.delete(id);
    }
    if (this.letGo.size === 0) return changes;
    return changes.filter((change) => {
      const id = change.type === 'row' ? change.row.id : 'id' in change ? change.id : undefined;
      return id === undefined || !this.letGo.has(id);
    });
  }
}

/** Returns the state after some changes. Unchanged rows stay the same objects. */
export function applyChanges(state: ChatState, changes: readonly ChatChange[]): ChatState {
  let next = state;
  let rows: ChatRow[] | undefined;
  for (const change of changes) {
    if (change.type === 'state') {
      next = { ...next, ...change.state };
      continue;
    }
    if (change.type === 'streamed') {
      next = { ...next, streamed: change.tokens };
      continue;
    }
    rows ??= [...state.rows];
    if (change.type === 'earlier') {
      rows.unshift(...change.rows);
      next = { ...next, earlier: change.earlier };
      continue;
    }
    const id = change.type === 'row' ? change.row.id : change.id;
    // The changed row is nearly always the last one.
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

/** Maximum characters of a running action's output, counted from the end. */
const longest = 20_000;
/** Characters that remain after a cut, so that most new output only has to be appended. */
const shortened = 15_000;

/** The end of an output, beginning with a whole line if possible. */
function outputTail(output: string): string {
  if (output.length <= longest) return output;
  const tail = output.slice(-shortened);
  const lineEnd = tail.indexOf('\n');
  return lineEnd >= 0 && lineEnd < tail.length - 1 ? tail.slice(lineEnd + 1) : tail;
}

/** The earlier message that the user is editing. */
interface EditedText {
  readonly messageId: string;
  readonly text: string;
}

/** The state that the page keeps while it is hidden. */
export interface ChatViewState {
  /** Id of the session to which the state belongs. */
  readonly sessionId?: string | undefined;
  readonly draft: string;
  readonly open: readonly string[];
  readonly edited?: EditedText | undefined;
  /** Scroll position; undefined while the log follows the conversation. */
  readonly anchor?: ScrollAnchor | undefined;
}

export function parseViewState(saved: unknown): ChatViewState {
  const { sessionId, draft, open, edited, anchor } = savedFields(saved);
  const { messageId, text } = savedFields(edited);
  const { row, offset } = savedFields(anchor);
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
