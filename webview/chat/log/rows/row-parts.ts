import type { ChatRow } from '../../../../src/protocol/chat-rows.ts';
import type { ChatRequest } from '../../../../src/protocol/chat.ts';
import { element, plainButton, setAttribute } from '../../../shared/dom.ts';
import type { OpenRows } from '../../../shared/host.ts';
import { icon } from '../../../shared/icons.ts';
import { formatCount } from '../../../shared/numbers.ts';
import type { Pictures } from '../../pictures/thumbnails.ts';
import { strings } from '../../text/chat-strings.ts';

export function keyOf(row: { readonly type: ChatRow['type'] | 'hidden'; readonly id: string }): string {
  return `${row.type}:${row.id}`;
}

/** Services that all rows of the log share. */
export interface RowContext {
  readonly post: (request: ChatRequest) => void;
  readonly open: OpenRows;
  readonly pictures: Pictures;
  readonly edited: EditedMessage;
}

/** The message that the user is editing, or none. */
interface EditedMessage {
  /** The edited text; undefined if the message is not being edited. */
  textOf(messageId: string): string | undefined;
  /** @param text undefined to cancel editing */
  set(messageId: string, text: string | undefined): void;
}

/** Text of a row that is added to the page only when the user opens the row. */
export interface FoldedText {
  /** The folded text; empty if the row is open. */
  text(): string;
  unfold(): void;
}

const pinWords = strings.pins;

/** A button that pins a message and shows whether it is pinned. */
interface PinButton {
  readonly element: HTMLElement;
  /** @param isPinned undefined if the message cannot be pinned */
  show(isPinned: boolean | undefined): void;
}

/**
 * @param what description of the message
 * @param onPin called with the requested state
 */
export function pinButton(what: string, onPin: (isPinned: boolean) => void): PinButton {
  let isPinned = false;
  const button = plainButton(
    { class: 'pin changes-chat', 'aria-label': pinWords.pinLabel({ what }), title: pinWords.explained },
    () => onPin(!isPinned),
    icon('pin'),
  );
  const root = element('span', { class: 'pin-place' }, button);
  return {
    element: root,
    show(next) {
      isPinned = next === true;
      root.hidden = next === undefined;
      setAttribute(button, 'aria-pressed', String(isPinned));
    },
  };
}

/** A button for the menu of a row. The log opens the menu. */
export function moreButton(): HTMLButtonElement {
  const words = strings.hand;
  return element(
    'button',
    { type: 'button', class: 'more', 'aria-haspopup': 'menu', 'aria-label': words.more, title: words.more },
    icon('more'),
  );
}

/** A number on the page, with its unit for screen readers. */
export function tokenWords(count: number): readonly HTMLElement[] {
  const text = formatCount(count);
  return [
    element('span', { 'aria-hidden': 'true' }, text),
    element('span', { class: 'spoken' }, strings.tokensOf({ count: text })),
  ];
}
