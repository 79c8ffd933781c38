import { element, isForInputMethod, plainButton, setText, hasFocus } from '../../shared/dom.ts';
import { icon, type IconName } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { strings } from '../text/chat-strings.ts';
import { findMatches, type Match, mostMatches, type SearchedRow } from './find-matches.ts';

const words = strings.find;

/** Minimum milliseconds between two searches. */
const pause = 120;

interface FindBarOptions {
  readonly rows: () => Iterable<SearchedRow>;
  /** Called with the current match. */
  readonly onShow: (range: StaticRange) => void;
  /** Called when the bar closes while it has the focus. */
  readonly giveFocus: () => void;
  /** Called when the bar opens or closes. Earlier rows have to be loaded, because a search only sees rows on the page. */
  readonly onOpen: (isOpen: boolean) => void;
}

/** Finds words in the conversation, including folded text. */
export class FindBar {
  readonly element: HTMLElement;
  private readonly options: FindBarOptions;
  private readonly input = element('input', {
    type: 'text',
    class: 'field',
    placeholder: words.placeholder,
    'aria-label': words.label,
  });
  private readonly count = element('span', { class: 'find-count', role: 'status' });
  private readonly steps: readonly HTMLButtonElement[];
  private matches: readonly Match[] = [];
  private index = 0;
  private timer: number | undefined;
  private cameFrom: Element | null = null;

  constructor(options: FindBarOptions) {
    this.options = options;
    this.steps = [
      iconButton('up', words.previous, () => this.step(-1)),
      iconButton('below', words.next, () => this.step(1)),
    ];
    this.element = element(
      'div',
      { class: 'find', role: 'search', 'aria-label': words.label, hidden: true },
      this.input,
      this.count,
      ...this.steps,
      iconButton('drop', words.close, () => this.close()),
    );
    this.input.addEventListener('input', () => this.searchSoon(true));
    this.element.addEventListener('keydown', (event) => this.keyPressed(event));
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  open(): void {
    if (!this.element.contains(document.activeElement)) this.cameFrom = document.activeElement;
    this.element.hidden = false;
    this.options.onOpen(true);
    this.input.focus();
    this.input.select();
    this.search(false);
  }

  close(): void {
    const hadFocus = hasFocus(this.element);
    window.clearTimeout(this.timer);
    this.timer = undefined;
    this.element.hidden = true;
    this.options.onOpen(false);
    this.matches = [];
    highlight([], undefined);
    if (!hadFocus) return;
    if (this.cameFrom instanceof HTMLElement && this.cameFrom.isConnected) this.cameFrom.focus();
    if (this.element.contains(document.activeElement) || document.activeElement === document.body) {
      this.options.giveFocus();
    }
  }

  /** Counts matches again after the conversation has changed, without scrolling. */
  changed(): void {
    if (!this.element.hidden) this.searchSoon(false);
  }

  /** Schedules a search. Searches run at intervals even while rows change constantly. */
  private searchSoon(isTyped: boolean): void {
    if (isTyped) window.clearTimeout(this.timer);
    else if (this.timer !== undefined) return;
    this.timer = window.setTimeout(() => this.search(isTyped), pause);
  }

  private search(isTyped: boolean): void {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    this.matches = findMatches(this.options.rows(), this.input.value);
    if (isTyped) {
      this.index = 0;
      this.show();
    } else {
      this.index = Math.min(this.index, Math.max(0, this.matches.length - 1));
      this.draw();
    }
  }

  private step(by: 1 | -1): void {
    if (this.timer !== undefined) this.search(true);
    else if (this.matches.length > 0) {
      this.index = (this.index + by + this.matches.length) % this.matches.length;
      this.show();
    }
  }

  /** Opens the row of the current match if it is folded, and scrolls to the match. */
  private show(): void {
    // A row that was not drawn may still be folded afterwards.
    for (let step = 0; step < 2 && this.matches[this.index]?.range === undefined; step++) {
      this.matches[this.index]?.row.folded?.unfold();
      this.matches = findMatches(this.options.rows(), this.input.value);
      this.index = Math.min(this.index, Math.max(0, this.matches.length - 1));
    }
    this.draw();
    const range = this.matches[this.index]?.range;
    if (range !== undefined) this.options.onShow(range);
  }

  private draw(): void {
    const { matches, index } = this;
    const ranges = matches.flatMap(({ range }) => (range === undefined ? [] : [range]));
    highlight(ranges, matches[index]?.range);
    for (const step of this.steps) step.disabled = matches.length === 0;
    this.element.classList.toggle('is-empty', matches.length === 0 && this.input.value !== '');
    setText(this.count, this.counted());
  }

  private counted(): string {
    if (this.input.value === '') return '';
    const { length } = this.matches;
    if (length === 0) return words.none;
    const total = formatCount(length) + (length >= mostMatches ? '+' : '');
    return words.count({ current: this.index + 1, total });
  }

  private keyPressed(event: KeyboardEvent): void {
    if (isForInputMethod(event)) return;
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && event.target === this.input) this.step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }
}

function iconButton(name: IconName, label: string, onClick: () => void): HTMLButtonElement {
  return plainButton({ class: 'find-button', 'aria-label': label, title: label }, onClick, icon(name));
}

/** Names of the highlights in the style sheet. */
const allName = 'find';
const currentName = 'find-current';

/** Highlights matches without changing the page. If this is not supported, selects the current match. */
function highlight(ranges: readonly StaticRange[], current: StaticRange | undefined): void {
  if (!('highlights' in CSS)) {
    select(current);
    return;
  }
  CSS.highlights.set(allName, new Highlight(...ranges.filter((range) => range !== current)));
  CSS.highlights.set(currentName, new Highlight(...(current === undefined ? [] : [current])));
}

function select(range: StaticRange | undefined): void {
  const selection = getSelection();
  if (range === undefined) selection?.removeAllRanges();
  else {
    const { startContainer, startOffset, endContainer, endOffset } = range;
    selection?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset);
  }
}
