import type { Kind } from '../../../src/compaction/message.ts';
import { element, freshId, type ItemView, KeyedList, plainButton } from '../../shared/dom.ts';
import { kindNames } from '../../shared/compaction-words.ts';
import { formatCount } from '../../shared/numbers.ts';
import { strings } from '../text/inspector-strings.ts';

/** Something that takes room. */
export interface Held {
  readonly key: string;
  readonly kind?: Kind;
  readonly name: string;
  /** A few words more. */
  readonly note: string;
  readonly tokens: number;
  /** The message that it leads to. */
  readonly messageId?: string | undefined;
}

/** What takes the most room, largest first, each a way to its message in the chat. */
export class HeldList {
  readonly element: HTMLElement;
  private readonly rows: KeyedList<Held>;
  private readonly none = element('p', { class: 'dim' }, strings.budget.none);
  private readonly onShow: (messageId: string) => void;
  private canShow = true;

  constructor(title: string, onShow: (messageId: string) => void) {
    const id = freshId();
    const list = element('ol', { class: 'held-list', 'aria-labelledby': id });
    this.onShow = onShow;
    this.rows = new KeyedList<Held>(list, {
      keyOf: ({ key }) => key,
      create: (held) => this.view(held),
      isSame: (shown, held) => JSON.stringify(shown) === JSON.stringify(held),
    });
    this.element = element('section', {}, element('h3', { id }, title), list, this.none);
  }

  /** @param canShow whether there is a chat that shows the messages */
  render(held: readonly Held[], canShow: boolean): void {
    if (canShow !== this.canShow) this.rows.render([]);
    this.canShow = canShow;
    this.none.hidden = held.length > 0;
    this.rows.render(held);
  }

  private view(first: Held): ItemView<Held> {
    const row = element('li', {});
    const update = (held: Held) => {
      const { messageId } = held;
      const cells = cellsOf(held);
      row.replaceChildren(
        messageId === undefined || !this.canShow
          ? element('div', { class: 'held' }, ...cells)
          : plainButton({ class: 'held', title: strings.budget.inChat }, () => this.onShow(messageId), ...cells),
      );
    };
    update(first);
    return { element: row, update };
  }
}

function cellsOf({ kind, name, note, tokens }: Held): readonly HTMLElement[] {
  return [
    ...(kind === undefined
      ? []
      : [
          element('i', { class: `swatch kind kind-${kind}` }),
          element('span', { class: 'held-kind dim' }, kindNames[kind]),
        ]),
    element('span', { class: 'held-name' }, name),
    element('span', { class: 'held-note dim' }, note),
    element(
      'span',
      { class: 'held-tokens' },
      formatCount(tokens),
      element('span', { class: 'spoken' }, ` ${strings.budget.tokens('').trim()}`),
    ),
  ];
}
