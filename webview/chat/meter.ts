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
  /** What is heard: more than there is room for. */
  private readonly name = element('span', { class: 'spoken' });
  private readonly share = element('span', { class: 'meter-share', 'aria-hidden': 'true' });
  private readonly bar = new StackedBar();
  private readonly rest = element('span', { class: 'meter-rest', 'aria-hidden': 'true' });
  private readonly breaker: HTMLElement;
  private shown: Meter | undefined;

  constructor(post: (request: ChatRequest) => void) {
    this.button = plainButton(
      { class: 'meter' },
      () => post({ type: 'open-inspector' }),
      this.name,
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
    setText(this.name, nameOf(meter));
    setAttribute(this.button, 'title', reportedOf(meter));
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

/** What the provider counted, and how much of it it had already; undefined where it has not said. */
function reportedOf({ reported }: Meter): string | undefined {
  if (reported === undefined) return undefined;
  const { inputTokens, cachedInputTokens } = reported;
  const isCacheTold = cachedInputTokens !== undefined && inputTokens > 0;
  const cached = isCacheTold ? words.fromCache(formatPercent(cachedInputTokens / inputTokens)) : '';
  return words.reported(formatCount(inputTokens)) + cached;
}

function nameOf(meter: Meter): string {
  const { tokens, window: size, trigger, byKind } = meter;
  const count = formatCount(tokens);
  const reported = reportedOf(meter);
  return [
    size === undefined
      ? words.name(count)
      : words.nameOfWindow(count, formatCount(size), formatPercent(tokens / size)),
    ...(trigger === undefined ? [] : [words.nameOfTrigger(formatCount(trigger))]),
    kinds
      .filter((kind) => byKind[kind] > 0)
      .map((kind) => words.nameOfKind(kindNames[kind], formatCount(byKind[kind])))
      .join(', ') + '.',
    ...(reported === undefined ? [] : [`${reported}.`]),
    words.open,
  ].join(' ');
}
