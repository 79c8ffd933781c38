import { css, html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ChatRequest, Price, PricedAttachment } from '../../../src/protocol/chat.ts';
import { Component } from '../../shared/component.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { pictureFacts, type Pictures, thumbnail } from '../pictures/thumbnails.ts';
import { strings } from '../text/chat-strings.ts';
import { revealed } from '../text/deceptive-characters.ts';

const words = strings.price;

/** Id of the line with the numbers, for the field that the line describes. */
export const numbersId = 'price-numbers';

/** Milliseconds without typing before the host is asked. */
const pause = 250;

interface PriceLineProps {
  readonly post: (request: ChatRequest) => void;
  readonly pictures: Pictures;
  /** Called with the label of an attachment to remove. */
  readonly onRemove: (label: string) => void;
}

/** The price of a message, shown below it while it is written. */
export class PriceLine extends Component<PriceLineProps> {
  static override styles = css`
    cb-price {
      display: block;
    }
  `;
  private text = '';
  private price: Price | undefined;
  private timer: number | undefined;

  /** @param text message to price; blank text costs nothing */
  show(text: string): void {
    this.text = text;
    window.clearTimeout(this.timer);
    if (text.trim() === '') this.draw(undefined);
    else this.timer = window.setTimeout(() => this.props.post({ type: 'price', text }), pause);
  }

  /** Requests the price again after the conversation has changed. */
  refresh(): void {
    if (this.text.trim() !== '') this.show(this.text);
  }

  /** Shows a price, unless it is for outdated text. */
  receive(price: Price): void {
    if (price.text === this.text) this.draw(price);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add('price');
  }

  protected override render(): TemplateResult {
    const { price } = this;
    // Only the warning is announced, because the numbers change with every word.
    return html`${
        price === undefined || price.attachments.length === 0
          ? nothing
          : html`<ul class="attachments" aria-label=${strings.attachments.list}>
              ${repeat(price.attachments, keyOf, (attachment) => this.chip(attachment))}
            </ul>`
      }
      <p class="price-numbers">
        <span id=${numbersId}>${price === undefined ? '' : numbersOf(price)}</span>
        <span class="price-warning" role="status">${price?.compacts === true ? words.compacts : ''}</span>
      </p>`;
  }

  private chip({ label: word, tokens, picture, problem }: PricedAttachment): TemplateResult {
    const label = revealed(word);
    const size = picture === undefined ? '' : pictureFacts(picture);
    const removal = strings.attachments.remove({ label });
    return html`<li class=${classMap({ chip: true, 'is-problem': problem !== undefined })} title=${label}>
      ${iconTemplate('warning')}
      ${picture === undefined ? nothing : thumbnail({ picture, label, pictures: this.props.pictures })}
      <span class="chip-label">${label}</span>
      ${size === '' ? nothing : html`<span class="chip-size">${size}</span>`}
      ${
        problem === undefined
          ? html`<span class="chip-tokens" aria-hidden="true">${formatCount(tokens)}</span
              ><span class="spoken">${strings.attachments.tokens({ count: tokens })}</span>`
          : html`<span class="chip-problem">${revealed(problem)}</span>`
      }
      <button
        type="button"
        class="chip-remove"
        aria-label=${removal}
        title=${removal}
        @click=${() => this.props.onRemove(word)}
      >
        ${iconTemplate('drop')}
      </button>
    </li>`;
  }

  private draw(price: Price | undefined): void {
    this.price = price;
    this.requestUpdate();
  }
}

customElements.define('cb-price', PriceLine);

/** A thumbnail belongs to one picture, so its key names the picture. */
function keyOf({ label, picture }: PricedAttachment, index: number): string {
  return `${index}${picture === undefined ? '' : ` ${label}`}`;
}

function numbersOf({ tokens, total, window: size }: Price): string {
  const request =
    size === undefined ? words.request({ tokens: total }) : words.requestOf({ tokens: total, window: size });
  return `${words.message({ tokens })} · ${request}`;
}
