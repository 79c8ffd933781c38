import type { ChatRow } from '../../../../src/protocol/chat-rows.ts';
import type { ChatRequest } from '../../../../src/protocol/chat.ts';
import { element, plainButton, setAttribute } from '../../../shared/dom.ts';
import type { OpenRows } from '../../../shared/host.ts';
import { icon } from '../../../shared/icons.ts';
import { formatCount } from '../../../shared/numbers.ts';
import type { Pictures } from '../../pictures/thumbnails.ts';
import { strings } from '../../text/chat-strings.ts';

/** The key of a row in the log. */
export function keyOf(row: { readonly type: ChatRow['type'] | 'hidden'; readonly id: string }): string {
  return `${row.type}:${row.id}`;
}

/** Services shared by the rows of the log. */
export interface RowContext {
  readonly post: (request: ChatRequest) => void;
  readonly open: OpenRows;
  readonly pictures: Pictures;
  readonly edited: EditedMessage;
}

/** The message a person is editing. There is one at most. */
interface EditedMessage {
  /** The text so far; undefined if it is not this message. */
  textOf(messageId: string): string | undefined;
  /** @param text undefined gives it up */
  set(messageId: string, text: string | undefined): void;
}

/** Text of a row that is not on the page until a person opens it. */
export interface FoldedText {
  /** Empty if it is open. */
  text(): string;
  unfold(): void;
}

const pinWords = strings.pins;

/** Keeps a message through every compaction, and says that it is kept. */
interface PinButton {
  readonly element: HTMLElement;
  /** @param isPinned undefined if there is nothing to pin */
  show(isPinned: boolean | undefined): void;
}

/**
 * @param what is pinned, in words
 * @param onPin called with what the person wants
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

/** Opens the menu of a row, which the log does. */
export function moreButton(): HTMLButtonElement {
  const words = strings.hand;
  return element(
    'button',
    { type: 'button', class: 'more', 'aria-haspopup': 'menu', 'aria-label': words.more, title: words.more },
    icon('more'),
  );
}

/** A number to look at; to listen to, a number of tokens. */
export function tokenWords(count: number): readonly HTMLElement[] {
  const text = formatCount(count);
  return [
    element('span', { 'aria-hidden': 'true' }, text),
    element('span', { class: 'spoken' }, strings.tokensOf({ count: text })),
  ];
}
