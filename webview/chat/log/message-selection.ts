import type { ChatRequest } from '../../../src/protocol/chat.ts';
import { shownMessageOf, type MessageRow } from '../../../src/protocol/shown-messages.ts';
import { element, plainButton, setText } from '../../shared/dom.ts';
import { strings } from '../text/chat-strings.ts';
import { openingMessageOf } from './rows/message-rows.ts';
import { keyOf } from './rows/row-parts.ts';

const words = strings.hand;

interface SelectionOptions {
  readonly post: (request: ChatRequest) => void;
  /** Returns the element of a row. @param key of the row */
  readonly elementOf: (key: string) => HTMLElement | undefined;
  /** Called when the selection becomes empty, with the last selected row. */
  readonly onLeave: (row: MessageRow | undefined) => void;
}

/** The messages that the user selects for one action. */
export class MessageSelection {
  /** The bar with the number of selected messages and actions on them. */
  readonly bar: HTMLElement;
  private readonly options: SelectionOptions;
  private readonly count = element('span', { role: 'status' });
  /** Rows that can be selected, in the order of the conversation. */
  private rows: readonly MessageRow[] = [];
  private readonly chosen = new Set<string>();
  private newest: string | undefined;

  constructor(options: SelectionOptions) {
    this.options = options;
    const action = (label: string, run: () => void) => plainButton({ class: 'link' }, run, label);
    this.bar = element(
      'div',
      { class: 'selection', role: 'group', 'aria-label': words.selection, hidden: true },
      this.count,
      action(words.hide, () => this.hide()),
      action(words.compactSelected, () => this.compact()),
      action(words.cancel, () => this.leave()),
    );
    this.bar.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.leave();
    });
  }

  get isOn(): boolean {
    return this.chosen.size > 0;
  }

  /** @param selectable rows that can be selected */
  render(selectable: readonly MessageRow[]): void {
    this.rows = selectable;
    if (!this.isOn) return;
    const keys = new Set(selectable.map(keyOf));
    for (const key of [...this.chosen].filter((chosen) => !keys.has(chosen))) this.set(key, false);
    this.show();
  }

  /** Selects or deselects a row. */
  toggle(row: MessageRow): void {
    const key = keyOf(row);
    this.set(key, !this.chosen.has(key));
    this.newest = key;
    this.show();
  }

  /** Selects all rows between the last selected row and this one. */
  extendTo(row: MessageRow): void {
    const ends = [this.rows.findIndex((other) => keyOf(other) === this.newest), this.rows.indexOf(row)];
    for (const between of this.rows.slice(Math.min(...ends), Math.max(...ends) + 1)) {
      this.set(keyOf(between), true);
    }
    this.newest = keyOf(row);
    this.show();
  }

  leave(): void {
    const picked = this.picked();
    const newest = picked.find((row) => keyOf(row) === this.newest) ?? picked.at(-1);
    this.clear();
    this.options.onLeave(newest);
  }

  /** Clears the selection, for example when another chat is shown. */
  clear(): void {
    for (const key of [...this.chosen]) this.set(key, false);
    this.show();
  }

  private picked(): readonly MessageRow[] {
    return this.rows.filter((row) => this.chosen.has(keyOf(row)));
  }

  private set(key: string, isChosen: boolean): void {
    if (isChosen) this.chosen.add(key);
    else this.chosen.delete(key);
    const row = this.options.elementOf(key);
    row?.classList.toggle('is-selected', isChosen);
    row?.querySelector(':scope > .selected-spoken')?.remove();
    if (isChosen) row?.prepend(element('span', { class: 'spoken selected-spoken' }, words.isSelected));
  }

  private show(): void {
    this.bar.hidden = !this.isOn;
    if (this.isOn) setText(this.count, words.selected({ count: this.chosen.size }));
  }

  /** Hides the selected messages. */
  hide(): void {
    const messageIds = this.picked().map((row) => shownMessageOf(row) ?? row.id);
    this.leave();
    this.options.post({ type: 'hide', selection: { messageIds } });
  }

  private compact(): void {
    const picked = this.picked();
    const [first, last] = [picked[0], picked.at(-1)];
    if (first === undefined || last === undefined) return;
    this.leave();
    this.options.post({ type: 'compact-part', from: openingMessageOf(first), to: shownMessageOf(last) });
  }
}
