import type { ChatRequest, Price, PricedAttachment } from '../../../src/protocol/chat.ts';
import { element, freshId, type ItemView, KeyedList, plainButton, setText } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { pictureFacts, type Pictures } from '../pictures/thumbnails.ts';
import { strings } from '../text/chat-strings.ts';
import { revealed } from '../text/deceptive-characters.ts';

const words = strings.price;

/** Milliseconds without typing before the host is asked. */
const pause = 250;

type Placed = PricedAttachment & { readonly index: number };

interface PriceLineOptions {
  readonly post: (request: ChatRequest) => void;
  readonly pictures: Pictures;
  /** Called with the label of an attachment to remove. */
  readonly onRemove: (label: string) => void;
}

/** The price of a message, shown below it while it is written. */
export class PriceLine {
  readonly element: HTMLElement;
  /** Id of the line with the numbers, for the field that the line describes. */
  readonly id = freshId();
  private readonly post: (request: ChatRequest) => void;
  private readonly attachments: KeyedList<Placed>;
  private readonly list = element('ul', {
    class: 'attachments',
    'aria-label': strings.attachments.list,
    hidden: true,
  });
  private readonly numbers = element('span', { id: this.id });
  private readonly warning = element('span', { class: 'price-warning', role: 'status' });
  private text = '';
  private timer: number | undefined;

  constructor({ post, pictures, onRemove }: PriceLineOptions) {
    this.post = post;
    this.attachments = new KeyedList<Placed>(this.list, {
      // A thumbnail belongs to one picture, so its key names the picture.
      keyOf: ({ index, label, picture }) => `${index}${picture === undefined ? '' : ` ${label}`}`,
      create: (attachment) => chip(attachment, pictures, onRemove),
      isSame: (shown, next) =>
        shown.label === next.label && shown.tokens === next.tokens && shown.problem === next.problem,
    });
    // Only the warning is announced, because the numbers change with every word.
    this.element = element(
      'div',
      { class: 'price' },
      this.list,
      element('p', { class: 'price-numbers' }, this.numbers, ' ', this.warning),
    );
  }

  /** @param text message to price; blank text costs nothing */
  show(text: string): void {
    this.text = text;
    window.clearTimeout(this.timer);
    if (text.trim() === '') this.draw(undefined);
    else this.timer = window.setTimeout(() => this.post({ type: 'price', text }), pause);
  }

  /** Requests the price again after the conversation has changed. */
  refresh(): void {
    if (this.text.trim() !== '') this.show(this.text);
  }

  /** Shows a price, unless it is for outdated text. */
  receive(price: Price): void {
    if (price.text === this.text) this.draw(price);
  }

  private draw(price: Price | undefined): void {
    this.attachments.render(price?.attachments.map((each, index) => ({ ...each, index })) ?? []);
    this.list.hidden = price === undefined || price.attachments.length === 0;
    setText(this.numbers, price === undefined ? '' : numbersOf(price));
    setText(this.warning, price?.compacts === true ? words.compacts : '');
  }
}

function numbersOf({ tokens, total, window: size }: Price): string {
  const request =
    size === undefined ? words.request({ tokens: total }) : words.requestOf({ tokens: total, window: size });
  return `${words.message({ tokens })} · ${request}`;
}

function chip(attachment: Placed, pictures: Pictures, onRemove: (label: string) => void): ItemView<Placed> {
  const { picture, label: word } = attachment;
  const label = element('span', { class: 'chip-label' });
  const tokens = element('span', { class: 'chip-tokens', 'aria-hidden': 'true' });
  const spoken = element('span', { class: 'spoken' });
  const problem = element('span', { class: 'chip-problem' });
  const size = picture === undefined ? '' : pictureFacts(picture);
  const remove = plainButton(
    {
      class: 'chip-remove',
      'aria-label': strings.attachments.remove({ label: revealed(word) }),
      title: strings.attachments.remove({ label: revealed(word) }),
    },
    () => onRemove(word),
    icon('drop'),
  );
  const root = element(
    'li',
    { class: 'chip' },
    icon('warning'),
    picture === undefined ? undefined : pictures.thumbnail(picture, revealed(word)),
    label,
    size === '' ? undefined : element('span', { class: 'chip-size' }, size),
    tokens,
    spoken,
    problem,
    remove,
  );
  const update = (next: Placed) => {
    const isProblem = next.problem !== undefined;
    root.classList.toggle('is-problem', isProblem);
    setText(label, revealed(next.label));
    root.title = revealed(next.label);
    tokens.hidden = isProblem;
    setText(tokens, formatCount(next.tokens));
    setText(spoken, isProblem ? '' : strings.attachments.tokens({ count: next.tokens }));
    setText(problem, revealed(next.problem ?? ''));
    problem.hidden = !isProblem;
  };
  update(attachment);
  return { element: root, update };
}
