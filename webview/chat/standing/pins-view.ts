import type { ChatRequest, ChatState } from '../../../src/protocol/chat.ts';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import {
  excerptOf,
  isMessageRow,
  shownMessageOf,
  type MessageRow,
} from '../../../src/protocol/shown-messages.ts';
import { createDisclosure, type Disclosure } from '../../shared/controls.ts';
import { element, type ItemView, KeyedList, plainButton, setAttribute, setText } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import type { OpenRows } from '../../shared/host.ts';
import { keyOf } from '../log/rows/row-parts.ts';
import { strings } from '../text/chat-strings.ts';

const words = strings.pins;

const openKey = 'pins';

interface Pin {
  readonly messageId: string;
  readonly text: string;
  /** Key of the row that shows the pinned message, or undefined. */
  readonly key: string | undefined;
}

interface PinsViewOptions {
  readonly post: (request: ChatRequest) => void;
  readonly open: OpenRows;
  /** Called with the key of a row to show. */
  readonly onShow: (key: string) => void;
}

/** Always the same object, so that unchanged pins can be recognised. */
const noPins: readonly string[] = [];

type PinnedState = Pick<ChatState, 'pins' | 'pinTexts' | 'earlier' | 'rows'>;
type ShownPins = Pick<PinnedState, 'pinTexts' | 'earlier'> & { readonly pins: readonly string[] };

/** The number of pinned messages in one line, which unfolds to a list. */
export class PinsView {
  readonly element: HTMLElement;
  private readonly open: OpenRows;
  private readonly disclosure: Disclosure;
  private readonly count = element('b');
  private readonly list: KeyedList<Pin>;
  private shown: ShownPins | undefined;

  constructor({ post, open, onShow }: PinsViewOptions) {
    this.open = open;
    const list = element('ul', { class: 'plan-steps', 'aria-label': words.list });
    this.list = new KeyedList<Pin>(list, {
      keyOf: ({ messageId }) => messageId,
      create: (pin) => pinnedMessage(pin, post, onShow),
      isSame: (shown, { text, key }) => shown.text === text && shown.key === key,
    });
    this.disclosure = createDisclosure({
      isOpen: false,
      class: 'plan-line',
      onToggle: (isOpen) => open.set(openKey, isOpen),
    });
    this.disclosure.button.append(icon('chevron'), this.count);
    this.disclosure.panel.append(list);
    this.element = element('div', { class: 'pins' }, this.disclosure.button, this.disclosure.panel);
  }

  /** Opens or closes the list, as remembered for the session. */
  enter(): void {
    this.disclosure.setOpen(this.open.has(openKey));
  }

  /** Updates the list. Searches the rows only if the pins or the earlier rows have changed; messages never change. */
  render({ pins = noPins, pinTexts, earlier, rows }: PinnedState): void {
    const { shown } = this;
    if (shown?.pins === pins && shown.pinTexts === pinTexts && shown.earlier === earlier) return;
    this.shown = { pins, pinTexts, earlier };
    this.element.hidden = pins.length === 0;
    setText(this.count, words.count({ count: pins.length }));
    const rowOf = pins.length === 0 ? new Map<string, MessageRow>() : rowsByMessage(rows);
    this.list.render(
      pins.map((messageId) => {
        const row = rowOf.get(messageId);
        return {
          messageId,
          text: row === undefined ? (pinTexts?.[messageId] ?? words.unknown) : excerptOf(row),
          key: row === undefined ? undefined : keyOf(row),
        };
      }),
    );
  }
}

/** Id of a message → the row that shows it. */
function rowsByMessage(rows: readonly ChatRow[]): ReadonlyMap<string, MessageRow> {
  return new Map(
    rows.filter(isMessageRow).flatMap((row) => {
      const id = shownMessageOf(row);
      return id === undefined ? [] : [[id, row] as const];
    }),
  );
}

function pinnedMessage(
  pin: Pin,
  post: (request: ChatRequest) => void,
  onShow: (key: string) => void,
): ItemView<Pin> {
  let { key } = pin;
  const { messageId } = pin;
  const show = plainButton({ class: 'plan-text pinned-text' }, () => {
    if (key !== undefined) onShow(key);
    else post({ type: 'show-message', messageId });
  });
  const unpin = plainButton(
    { class: 'link changes-chat' },
    () => post({ type: 'pin', messageId, isPinned: false }),
    words.unpin,
  );
  const update = (next: Pin) => {
    ({ key } = next);
    setText(show, next.text);
    const isUnknown = key === undefined && next.text === words.unknown;
    show.disabled = isUnknown;
    setAttribute(show, 'aria-label', isUnknown ? undefined : words.show({ text: next.text }));
    setAttribute(show, 'title', next.text);
    setAttribute(unpin, 'aria-label', words.unpinLabel({ text: next.text }));
  };
  update(pin);
  return { element: element('li', {}, icon('pin'), show, unpin), update };
}
