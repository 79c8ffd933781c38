import type { Completion } from '../../../src/protocol/chat.ts';
import { element, freshId, setAttribute, setText } from '../../shared/dom.ts';
import { strings } from '../text/chat-strings.ts';

const words = strings.completion;

/** Completions of a word, above a field that keeps the focus. */
export class CompletionList {
  readonly element: HTMLElement;
  private readonly input: HTMLElement;
  private readonly list: HTMLElement;
  private readonly count = element('span', { class: 'spoken', role: 'status' });
  private readonly onTake: (item: Completion) => void;
  private items: readonly Completion[] = [];
  private activeIndex = 0;

  /**
   * @param input the field through which screen readers announce the active item
   * @param onTake called with the item that the user clicks
   */
  constructor(input: HTMLElement, onTake: (item: Completion) => void) {
    this.input = input;
    this.onTake = onTake;
    const id = freshId();
    this.list = element('ul', {
      id,
      class: 'completions',
      role: 'listbox',
      'aria-label': words.label,
      hidden: true,
    });
    setAttribute(input, 'aria-autocomplete', 'list');
    setAttribute(input, 'aria-controls', id);
    // A live region must be on the page before it gets text.
    this.element = element('div', {}, this.list, this.count);
    // Keeps the focus in the text field.
    this.list.addEventListener('mousedown', (event) => event.preventDefault());
  }

  get isOpen(): boolean {
    return this.items.length > 0;
  }

  get active(): Completion | undefined {
    return this.items[this.activeIndex];
  }

  /** Shows items and activates the first one. An empty list closes the popup. */
  show(items: readonly Completion[]): void {
    const isSame =
      items.length === this.items.length &&
      items.every(({ insert }, index) => insert === this.items[index]?.insert);
    if (isSame) return;
    this.items = items;
    this.list.replaceChildren(...items.map((item) => this.option(item)));
    this.list.hidden = items.length === 0;
    setText(this.count, items.length === 0 ? '' : words.count({ count: items.length }));
    this.activate(0);
  }

  /** @param step to the next or the previous item; continues at the other end */
  move(step: 1 | -1): void {
    this.activate((this.activeIndex + step + this.items.length) % this.items.length);
  }

  private activate(index: number): void {
    this.activeIndex = index;
    for (const [position, option] of [...this.list.children].entries()) {
      setAttribute(option, 'aria-selected', String(position === index));
    }
    const option = this.list.children[index];
    setAttribute(this.input, 'aria-activedescendant', option?.id);
    option?.scrollIntoView({ block: 'nearest' });
  }

  private option(item: Completion): HTMLElement {
    const { label, detail } = item;
    const option = element(
      'li',
      { id: freshId(), class: 'completion', role: 'option' },
      element('span', { class: 'completion-label' }, label),
      ' ',
      element('span', { class: 'completion-detail' }, detail),
    );
    if (detail !== '') option.title = detail;
    option.addEventListener('click', () => this.onTake(item));
    return option;
  }
}
