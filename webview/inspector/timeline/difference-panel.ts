import type {
  DifferenceSide,
  MarkedText,
  RequestDifferenceView,
} from '../../../src/protocol/inspector-timeline.ts';
import { element, freshId, plainButton, setText } from '../../shared/dom.ts';
import { formatMoney } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.timeline.difference;

interface DifferenceOptions {
  /** Requests the difference between a request and the previous one. */
  ask(messageId: string): void;
  /** The reply to a request by the request's number, counted from 1; undefined if the request cannot be compared. */
  replyTo(request: number): string | undefined;
  showRecord(recordId: string): void;
  /** Called when the user closes the panel. */
  onClose(): void;
}

/** Two consecutive requests side by side: the first difference, its cause and its cost. */
export class DifferencePanel {
  readonly element: HTMLElement;
  private readonly options: DifferenceOptions;
  private readonly heading: HTMLElement;
  private readonly earlier: HTMLButtonElement;
  private readonly later: HTMLButtonElement;
  private readonly body = element('div');
  private wanted: string | undefined;
  private request = 0;

  constructor(options: DifferenceOptions) {
    const id = freshId();
    this.options = options;
    this.heading = element('h4', { id, tabindex: -1 });
    this.earlier = plainButton({ class: 'link' }, () => this.step(-1), words.earlier);
    this.later = plainButton({ class: 'link' }, () => this.step(1), words.later);
    const close = plainButton({ class: 'link' }, () => this.close(), words.close);
    this.element = element(
      'section',
      { class: 'difference', 'aria-labelledby': id, hidden: true },
      element('div', { class: 'difference-head' }, this.heading, this.earlier, this.later, close),
      this.body,
    );
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
    });
  }

  /** Shows the comparison of a request with the previous one. */
  show(messageId: string): void {
    this.wanted = messageId;
    this.options.ask(messageId);
    if (!this.element.hidden) return;
    setText(this.heading, words.loading);
    this.body.replaceChildren();
    for (const button of [this.earlier, this.later]) button.hidden = true;
    this.element.hidden = false;
  }

  hide(): void {
    this.wanted = undefined;
    this.element.hidden = true;
  }

  receive(view: RequestDifferenceView): void {
    if (view.messageId !== this.wanted) return;
    this.wanted = undefined;
    this.request = view.request;
    setText(this.heading, words.title({ request: view.request, before: view.request - 1 }));
    this.earlier.hidden = this.options.replyTo(view.request - 1) === undefined;
    this.later.hidden = this.options.replyTo(view.request + 1) === undefined;
    this.body.replaceChildren(...this.contents(view));
    // The pressed button may be hidden now, so the heading, which names the content, gets the focus.
    this.heading.focus();
  }

  private contents(view: RequestDifferenceView): readonly HTMLElement[] {
    const { recordId, before, after } = view;
    const record =
      recordId === undefined
        ? undefined
        : plainButton({ class: 'link' }, () => this.options.showRecord(recordId), words.record);
    const cause = element('p', {}, view.cause.join(inspectorTexts.betweenSentences), ' ', record);
    const numbers = element('p', { class: 'dim' }, sentencesOf(view).join(inspectorTexts.betweenSentences));
    if (before === undefined && after === undefined) return [cause, numbers];
    const sides = element(
      'div',
      { class: 'difference-sides' },
      sideOf(before, view.request - 1),
      sideOf(after, view.request),
    );
    return [cause, numbers, sides];
  }

  private step(by: number): void {
    const messageId = this.options.replyTo(this.request + by);
    if (messageId !== undefined) this.show(messageId);
  }

  private close(): void {
    this.hide();
    this.options.onClose();
  }
}

function sentencesOf({
  kept,
  again,
  fresh,
  money,
  reportedCached,
}: RequestDifferenceView): readonly string[] {
  return [
    reportedCached === undefined
      ? words.expected({ tokens: kept })
      : words.expectedAndReported({ tokens: kept, reported: reportedCached }),
    words.written({ again, fresh }),
    ...(money === undefined
      ? []
      : [
          money.read === undefined
            ? words.cost({ written: formatMoney(money.written) })
            : words.costAndRead({ written: formatMoney(money.written), read: formatMoney(money.read) }),
        ]),
  ];
}

function sideOf(side: DifferenceSide | undefined, request: number): HTMLElement {
  const number = element('b', {}, words.side({ request }));
  if (side === undefined)
    return element('div', {}, element('p', {}, number), element('p', { class: 'dim' }, words.ended));
  const { title, label, text } = side;
  const name = [title, label].filter((part) => part !== '').join(' ');
  return element(
    'div',
    {},
    element('p', { class: 'difference-name' }, number, ' ', element('span', { class: 'dim' }, name)),
    element('pre', { tabindex: 0, 'aria-label': words.text({ request }) }, ...textOf(text)),
  );
}

/** Uses only text nodes, because the conversation is untrusted. */
function textOf({
  isCutBefore,
  isCutAfter,
  alike,
  changed,
  rest,
}: MarkedText): readonly (string | HTMLElement)[] {
  return [
    isCutBefore ? '…' : '',
    alike,
    changed === '' ? '' : element('mark', {}, changed),
    rest,
    isCutAfter ? '…' : '',
  ].filter((part) => part !== '');
}
