import { kinds } from '../../src/compaction/message.ts';
import type { ChatRequest, Meter } from '../../src/extension/protocol/chat.ts';
import { kindSegments, StackedBar } from '../bar.ts';
import { element, plainButton, setAttribute, setText } from '../dom.ts';
import { icon } from '../icons.ts';
import { kindNames } from '../kind-names.ts';
import { formatCount, formatPercent, formatShort } from '../numbers.ts';
import { strings } from './strings.ts';

const words = strings.meter;

/** How full the context is, in one line that opens the inspector. */
export class MeterView {
  readonly element: HTMLElement;
  private readonly button: HTMLButtonElement;
  private readonly share = element('span', { class: 'meter-share' });
  private readonly bar = new StackedBar();
  private readonly rest = element('span', { class: 'meter-rest' });
  private readonly breaker: HTMLElement;
  private shown: Meter | undefined;

  constructor(post: (request: ChatRequest) => void) {
    this.button = plainButton(
      { class: 'meter' },
      () => post({ type: 'open-inspector' }),
      this.share,
      this.bar.element,
      this.rest,
    );
    this.breaker = element(
      'div',
      { class: 'notice', role: 'status', hidden: true },
      icon('warning'),
      element('span', {}, words.breaker),
      plainButton({ class: 'link' }, () => post({ type: 'compact-now' }), words.compactNow),
    );
    this.element = element('div', {}, this.breaker, this.button);
  }

  render(meter: Meter): void {
    if (meter === this.shown) return;
    this.shown = meter;
    const { tokens, window: size, trigger } = meter;
    setAttribute(this.button, 'aria-label', nameOf(meter));
    this.breaker.hidden = !meter.isBreakerOpen;
    this.bar.element.hidden = size === undefined;
    if (size === undefined) {
      setText(this.share, words.tokens(formatCount(tokens)));
      setText(this.rest, '');
      return;
    }
    setText(this.share, formatPercent(tokens / size));
    setText(this.rest, trigger === undefined ? '' : distance(tokens, trigger));
    this.bar.render({
      segments: kindSegments(meter.byKind),
      marks: trigger === undefined ? [] : [{ name: 'trigger', at: trigger }],
      scale: Math.max(size, tokens),
    });
  }
}

function distance(tokens: number, trigger: number): string {
  return tokens < trigger ? words.toCompaction(formatShort(trigger - tokens)) : words.dueNow;
}

function nameOf({ tokens, window: size, trigger, byKind }: Meter): string {
  const count = formatCount(tokens);
  return [
    size === undefined
      ? words.name(count)
      : words.nameOfWindow(count, formatCount(size), formatPercent(tokens / size)),
    ...(trigger === undefined ? [] : [words.nameOfTrigger(formatCount(trigger))]),
    kinds
      .filter((kind) => byKind[kind] > 0)
      .map((kind) => words.nameOfKind(kindNames[kind], formatCount(byKind[kind])))
      .join(', ') + '.',
    words.open,
  ].join(' ');
}
