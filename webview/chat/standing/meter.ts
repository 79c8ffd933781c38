import { kinds, type CompactionForecast } from '../../../src/protocol/engine-terms.ts';
import type { ChatRequest, Meter } from '../../../src/protocol/chat.ts';
import { type LabelledMark, StackedBar } from '../../shared/bar.ts';
import { kindSegments } from '../../shared/stacked-bar.ts';
import { element, plainButton, setAttribute, setText } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { beyondCountSentence, kindNames, outlookSentences } from '../../shared/compaction-words.ts';
import { formatCount, formatPercent, formatShort } from '../../shared/numbers.ts';
import { strings } from '../text/chat-strings.ts';

const words = strings.meter;

/** Number of tokens below which a compaction is near. */
const few = 1_000;

/** The fill of the context in one line, which opens the inspector. */
export class MeterView {
  readonly element: HTMLElement;
  private readonly button: HTMLButtonElement;
  /** The text for screen readers, which is longer than the visible text. */
  private readonly name = element('span', { class: 'spoken' });
  private readonly share = element('span', { class: 'meter-share', 'aria-hidden': 'true' });
  private readonly bar = new StackedBar();
  private readonly rest = element('span', { class: 'meter-rest', 'aria-hidden': 'true' });
  private readonly breaker: HTMLElement;
  private readonly pause = element('span');
  private shown: Meter | undefined;
  private shownStreamed = 0;

  constructor(post: (request: ChatRequest) => void) {
    this.button = plainButton(
      { class: 'meter' },
      () => post({ type: 'open-inspector' }),
      this.name,
      this.bar.element,
      this.share,
      this.rest,
    );
    this.breaker = element(
      'div',
      { class: 'notice', role: 'status', hidden: true },
      icon('warning'),
      this.pause,
      plainButton({ class: 'link changes-chat' }, () => post({ type: 'compact' }), words.compactNow),
    );
    this.element = element('div', {}, this.breaker, this.button);
  }

  /** @param streamed tokens of the streamed reply that the meter does not include yet */
  render(counted: Meter, streamed = 0): void {
    if (counted === this.shown && streamed === this.shownStreamed) return;
    this.shown = counted;
    this.shownStreamed = streamed;
    const meter = streamed === 0 ? counted : withReply(counted, streamed);
    const { tokens, window: size } = meter;
    setText(this.name, nameOf(meter));
    setAttribute(this.button, 'title', titleOf(meter));
    const { isBreakerOpen, isSpendingLimitReached } = meter;
    this.breaker.hidden = !isBreakerOpen && !isSpendingLimitReached;
    if (!this.breaker.hidden) setText(this.pause, isBreakerOpen ? words.breaker : words.spendingLimit);
    this.bar.element.hidden = size === undefined;
    if (size === undefined) {
      setText(this.share, words.tokens({ count: tokens }));
      setText(this.rest, '');
      return;
    }
    setText(this.share, formatPercent(tokens / size));
    setText(this.rest, nextOf(tokens, meter));
    this.bar.render({
      segments: kindSegments(meter.byKind, tokens),
      marks: marksOf(meter),
      scale: Math.max(size, tokens),
    });
  }
}

function withReply({ tokens, byKind, ...rest }: Meter, streamed: number): Meter {
  const assistant = byKind.assistant + streamed;
  return { ...rest, tokens: tokens + streamed, byKind: { ...byKind, assistant } };
}

/** The next compaction and the tokens until then, in a few words. */
function nextOf(tokens: number, forecast: CompactionForecast): string {
  const { trigger, background, isPaused, isUnderWay, asks } = forecast;
  if (isPaused === true) return words.paused;
  if (isUnderWay === true) return words.underWay;
  const left = (size: number) => formatShort(size - tokens);
  const toCompaction = (size: number) =>
    (size - tokens < few ? words.nearCompaction : words.toCompaction)({ count: left(size) });
  if (background !== undefined && tokens < background) return toCompaction(background);
  if (trigger === undefined) return '';
  if (tokens >= trigger) return asks === true ? words.questionDue : words.dueNow;
  if (background !== undefined) return words.backgroundDue;
  return asks === true ? words.toQuestion({ count: left(trigger) }) : toCompaction(trigger);
}

function marksOf({ trigger, background }: CompactionForecast): readonly LabelledMark[] {
  return [
    ...(background === undefined ? [] : [{ name: 'background', at: background }]),
    ...(trigger === undefined ? [] : [{ name: 'trigger', at: trigger }]),
  ];
}

/** Text that does not fit into the line; undefined if all of it is visible. */
function titleOf(meter: Meter): string | undefined {
  const sentences = outlookSentences(meter);
  const isSeen = sentences.length < 2;
  const beyond = beyondCountSentence(meter);
  const lines = [...(isSeen ? [] : sentences), reportedOf(meter), beyond].filter(
    (line) => line !== undefined,
  );
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** The provider's count and the share that was cached, or undefined. */
function reportedOf({ reported }: Meter): string | undefined {
  if (reported === undefined) return undefined;
  const { inputTokens, cachedInputTokens } = reported;
  const isCacheTold = cachedInputTokens !== undefined && inputTokens > 0;
  const cached = isCacheTold
    ? words.fromCache({ share: formatPercent(cachedInputTokens / inputTokens) })
    : '';
  return words.reported({ tokens: inputTokens }) + cached;
}

function nameOf(meter: Meter): string {
  const { tokens, window: size, byKind } = meter;
  const count = formatCount(tokens);
  const reported = reportedOf(meter);
  const named = kinds
    .filter((kind) => byKind[kind] > 0)
    .map((kind) => words.nameOfKind({ kind: kindNames[kind], tokens: byKind[kind] }));
  const beyond = beyondCountSentence(meter);
  return [
    size === undefined
      ? words.name({ tokens: count })
      : words.nameOfWindow({ tokens: count, window: size, share: formatPercent(tokens / size) }),
    ...outlookSentences(meter),
    ...(named.length === 0 ? [] : [`${named.join(', ')}.`]),
    ...(reported === undefined ? [] : [`${reported}.`]),
    ...(beyond === undefined ? [] : [beyond]),
    words.open,
  ].join(' ');
}
