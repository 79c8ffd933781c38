import type { ChatRequest } from '../../../src/protocol/chat.ts';
import { plainButton, setText } from '../../shared/dom.ts';
import { hasFocus } from '../../shared/focus.ts';
import { strings } from '../text/chat-strings.ts';

/** Pixels above the window in which earlier rows are asked for. */
const margin = 1_500;

interface EarlierRowsOptions {
  readonly post: (request: ChatRequest) => void;
  readonly scroller: HTMLElement;
  /** Called when there are no earlier rows any more and the line had the focus. */
  readonly giveFocus: () => void;
}

/** The line before the rows that the page has: counts those before them, and asks for more when it comes near. */
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
   * @param count rows before those of the page
   * @param isLoading true if they are not known yet
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
    // Tells of its place once more, even if that is near the window again.
    this.observer.disconnect();
    this.observer.observe(this.element);
  }

  /** Asks for all of them, batch after batch, until that is no longer wanted. */
  fetchAll(isWanted: boolean): void {
    this.wantsAll = isWanted;
    if (isWanted) this.ask();
  }

  /** @param through id of a row to go back to */
  ask(through?: string): void {
    if (this.count === 0 || (this.isAsked && through === undefined)) return;
    this.isAsked = true;
    this.options.post({ type: 'earlier-rows', ...(through === undefined ? {} : { through }) });
  }
}
