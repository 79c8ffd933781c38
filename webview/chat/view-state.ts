import { fieldsOf, stringOrNone, stringsIn } from '../remembered.ts';

/** Where a reader was: a row, and how far its top was above the top of the log, in pixels. */
export interface ScrollAnchor {
  readonly row: string;
  readonly offset: number;
}

/** A message that a person is writing anew. */
export interface EditedText {
  readonly messageId: string;
  readonly text: string;
}

/** What the chat keeps for itself while it is hidden. */
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
