import type { ChatRequest } from '../../../src/protocol/chat.ts';
import type { OpenRows } from '../../remembered.ts';

/** What a row of the log may do. */
export interface RowContext {
  readonly post: (request: ChatRequest) => void;
  readonly open: OpenRows;
  readonly edited: EditedMessage;
}

/** A message that a person is writing anew. There is one at most. */
export interface EditedMessage {
  /** The text so far; undefined where it is not this message. */
  textOf(messageId: string): string | undefined;
  /** @param text undefined gives it up */
  set(messageId: string, text: string | undefined): void;
}
