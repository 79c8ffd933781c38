import type { ChatRequest, ChatState } from '../../../src/protocol/chat.ts';
import type { OpenRows } from '../../shared/host.ts';
import type { ChatViewState } from './chat-state.ts';

/** Everything from which the chat page is drawn. */
export interface ChatPageState {
  /** The page's copy of the displayed chat; undefined until the first snapshot arrives. */
  readonly session: ChatState | undefined;
  /** The state that the page keeps while it is hidden. */
  readonly view: ChatViewState;
  /** True while the log stays scrolled to its end. */
  readonly isFollowing: boolean;
  /** The answer to `look-for-sessions`; undefined until it arrives. */
  readonly sessions: { readonly found?: string | undefined } | undefined;
}

/** Actions that the parts of the page share. The functions stay the same while the page lives. */
export interface ChatActions {
  readonly post: (request: ChatRequest) => void;
  readonly open: OpenRows;
  /** Sends a message. */
  readonly send: (text: string) => void;
  /** Scrolls to a row and focuses it. @param key of the row */
  readonly showRow: (key: string) => void;
}
