import { css, html, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { Component } from '../../shared/component.ts';
import { hasFocus, isForInputMethod } from '../../shared/keyboard.ts';
import { iconButton } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { strings } from '../text/chat-strings.ts';
import { findMatches, type Match, mostMatches, type SearchedRow } from './find-matches.ts';

const words = strings.find;

/** Minimum milliseconds between two searches. */
const pause = 120;

interface FindBarProps {
  readonly rows: () => Iterable<SearchedRow>;
  /** Called with the current match. */
  readonly onShow: (range: StaticRange) => void;
  /** Called when the bar closes while it has the focus. */
  readonly giveFocus: () => void;
  /** Called when the bar opens or closes. Earlier rows have to be loaded, because a search only sees rows on the page. */
  readonly onOpen: (isOpen: boolean) => void;
}

/** Finds words in the conversation, including folded text. */
export class FindBar extends Component<FindBarProps> {
  static override styles = css`
    cb-find {
      display: block;
    }
  `;
  private isShown = false;
  private found: readonly Match[] = [];
  private index = 0;
  private timer: number | undefined;
  private cameFrom: Element | null = null;

  get isOpen(): boolean {
    return this.isShown;
  }

  open(): void {
    if (!this.contains(document.activeElement)) this.cameFrom = document.activeElement;
    this.isShown = true;
    this.requestUpdate();
    this.drawNow();
    this.props.onOpen(true);
    const input = this.querySelector('input');
    input?.focus();
    input?.select();
    this.search(false);
  }

  close(): void {
    const hadFocus = hasFocus(this);
    window.clearTimeout(this.timer);
    this.timer = undefined;
    this.isShown = false;
    this.requestUpdate();
    this.props.onOpen(false);
    this.found = [];
    highlight([], undefined);
    if (!hadFocus) return;
    if (this.cameFrom instanceof HTMLElement && this.cameFrom.isConnected) this.cameFrom.focus();
    if (this.contains(document.activeElement) || document.activeElement === document.body) {
      this.props.giveFocus();
    }
  }

  /** Counts matches again after the conversation has changed, without scrolling. */
  changed(): void {
    if (this.isShown) this.searchSoon(false);
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
    this.found = findMatches(this.props.rows(), this.query);
    if (isTyped) {
      this.index = 0;
      this.show();
    } else {
      this.index = Math.min(this.index, Math.max(0, this.found.length - 1));
      this.mark();
    }
  }

  private step(by: 1 | -1): void {
    if (this.timer !== undefined) this.search(true);
    else if (this.found.length > 0) {
      this.index = (this.index + by + this.found.length) % this.found.length;
      this.show();
    }
  }

  /** Opens the row of the current match if it is folded, and scrolls to the match. */
  private show(): void {
    // A row that was not drawn may still be folded afterwards.
    for (let step = 0; step < 2 && this.found[this.index]?.range === undefined; step++) {
      this.found[this.index]?.row.folded?.unfold();
      this.found = findMatches(this.props.rows(), this.query);
      this.index = Math.min(this.index, Math.max(0, this.found.length - 1));
    }
    this.mark();
    const range = this.found[this.index]?.range;
    if (range !== undefined) this.props.onShow(range);
  }

  /** Highlights the matches, and shows their number. */
  private mark(): void {
    const ranges = this.found.flatMap(({ range }) => (range === undefined ? [] : [range]));
    highlight(ranges, this.found[this.index]?.range);
    this.requestUpdate();
  }

  private get query(): string {
    return this.querySelector('input')?.value ?? '';
  }

  protected override render(): TemplateResult {
    const isEmpty = this.found.length === 0;
    return html`<div
      class=${classMap({ find: true, 'is-empty': isEmpty && this.query !== '' })}
      role="search"
      aria-label=${words.label}
      ?hidden=${!this.isShown}
      @keydown=${this.keyPressed}
    >
      <input
        type="text"
        class="field"
        placeholder=${words.placeholder}
        aria-label=${words.label}
        @input=${() => this.searchSoon(true)}
      />
      <span class="find-count" role="status">${this.counted()}</span>
      ${iconButton('up', words.previous, () => this.step(-1), { isDisabled: isEmpty })}
      ${iconButton('below', words.next, () => this.step(1), { isDisabled: isEmpty })}
      ${iconButton('drop', words.close, () => this.close())}
    </div>`;
  }

  private counted(): string {
    if (this.query === '') return '';
    const { length } = this.found;
    if (length === 0) return words.none;
    const total = formatCount(length) + (length >= mostMatches ? '+' : '');
    return words.count({ current: this.index + 1, total });
  }

  private readonly keyPressed = (event: KeyboardEvent): void => {
    if (isForInputMethod(event)) return;
    const { key, target } = event;
    if (key === 'Escape') this.close();
    else if (key === 'Enter' && target instanceof HTMLInputElement) this.step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
}

customElements.define('cb-find', FindBar);

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
