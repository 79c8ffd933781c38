import { css, html, nothing } from 'lit';
import type { ChatRequest } from '../../../src/protocol/chat.ts';
import { Component } from '../../shared/component.ts';
import { hasFocus } from '../../shared/keyboard.ts';
import { strings } from '../text/chat-strings.ts';

/** Earlier rows are requested when the line is within this many pixels above the window. */
const margin = 1_500;

interface EarlierRowsProps {
  readonly post: (request: ChatRequest) => void;
  readonly scroller: HTMLElement;
  /** Called if the line has the focus and no earlier rows remain. */
  readonly giveFocus: () => void;
}

/** The line above the page's rows. Shows how many rows are earlier, and requests more when scrolled near it. */
export class EarlierRows extends Component<EarlierRowsProps> {
  static override styles = css`
    cb-earlier {
      display: block;
    }
  `;
  private observer: IntersectionObserver | undefined;
  private count = 0;
  private isLoading = false;
  private isAsked = false;
  private wantsAll = false;

  /**
   * Shows the line now, because its height moves the rows.
   *
   * @param count number of rows before the rows of the page
   * @param isLoading true if the number is not known yet
   */
  show(count: number, isLoading: boolean): void {
    if (count === this.count && isLoading === this.isLoading) return;
    this.count = count;
    this.isLoading = isLoading;
    this.isAsked = false;
    const hadFocus = hasFocus(this);
    this.requestUpdate();
    this.drawNow();
    if (hadFocus && count === 0) this.props.giveFocus();
    if (this.wantsAll) this.ask();
    // Observing again reports the position, even if the line is still near the window.
    this.observer?.disconnect();
    this.observer?.observe(this);
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
    this.props.post({ type: 'earlier-rows', ...(through === undefined ? {} : { through }) });
  }

  protected override firstUpdated(): void {
    this.observer = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)?.isIntersecting === true) this.ask();
      },
      { root: this.props.scroller, rootMargin: `${margin}px 0px 0px` },
    );
    this.observer.observe(this);
  }

  protected override render(): unknown {
    const { count, isLoading } = this;
    if (count === 0 && !isLoading) return nothing;
    return html`<button type="button" class="link earlier" ?disabled=${isLoading} @click=${() => this.ask()}>
      ${isLoading ? strings.loadingEarlier : strings.earlier({ count })}
    </button>`;
  }
}

customElements.define('cb-earlier', EarlierRows);
