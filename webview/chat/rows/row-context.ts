import type { ChatRequest } from '../../../src/extension/protocol/chat.ts';
import type { OpenRows } from '../../remembered.ts';

/** What a row of the log may do. */
export interface RowContext {
  readonly post: (request: ChatRequest) => void;
  readonly open: OpenRows;
}
