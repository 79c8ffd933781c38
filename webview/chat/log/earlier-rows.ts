import type { ChatRequest } from '../../../src/protocol/chat.ts';
import { plainButton, setText, hasFocus } from '../../shared/dom.ts';
import { strings } from '../text/chat-strings.ts';

/** Earlier rows are requested when the line is within this many pixels above the window. */
const margin = 1_500;

interface EarlierRowsOptions {
  readonly post: (request: ChatRequest) => void;
  readonly scroller: HTMLElement;
  /** Called if the line has the focus and no earlier rows remain. */
  readonly giveFocus: () => void;
}

/** The line above the page's rows. Shows how many rows are earlier, and requests more when scrolled near it. */
export class EarlierRows {
  readonly element: HTMLButtonElement;
  private readonly options: EarlierRowsOptions;
  private readonly observer: IntersectionObserver;
  private count = 0;
  private isLoading = false;
  private isAsked = false;
  private wantsAll = false;

  constructor(options: EarlierRowsOptions) {
    this.options = options;
    this.element = plainButton({ class: 'link earlier', hidden: true }, () => this.ask());
    this.observer = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)?.isIntersecting === true) this.ask();
      },
      { root: options.scroller, rootMargin: `${margin}px 0px 0px` },
    );
  }

  /**
   * @param count number of rows before the rows of the page
   * @param isLoading true if the number is not known yet
   */
  render(count: number, isLoading: boolean): void {
    if (count === this.count && isLoading === this.isLoading) return;
    this.count = count;
    this.isLoading = isLoading;
    this.element.disabled = isLoading;
    this.isAsked = false;
    const hadFocus = hasFocus(this.element);
    setText(this.element, isLoading ? strings.loadingEarlier : strings.earlier({ count }));
    this.element.hidden = count === 0 && !isLoading;
    if (hadFocus && count === 0) this.options.giveFocus();
    if (this.wantsAll) this.ask();
    // Observing again reports the position, even if the line is still near the window.
    this.observer.disconnect();
    this.observer.observe(this.element);
  }

  /** Requests all rows, batch after batch, while they are wanted. */
  fetchAll(isWanted: boolean): void {
    this.wantsAll = isWanted;
    if (isWanted) this.ask();
  }

  /** @param through id of a row back to which rows are requested */
  ask(through?: string): void {
    if (this.count === 0 || (this.isAsked && through === undefined)) return;
    this.isAsked = true;
    this.options.post({ type: 'earlier-rows', ...(through === undefined ? {} : { through }) });
  }
}
