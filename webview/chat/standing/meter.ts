import { css, html, nothing, type TemplateResult } from 'lit';
import { kinds, type CompactionForecast } from '../../../src/protocol/engine-terms.ts';
import type { ChatRequest, Meter } from '../../../src/protocol/chat.ts';
import { addStyles } from '../../shared/component.ts';
import { beyondCountSentence, kindNames, outlookSentences } from '../../shared/compaction-words.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { linkButton } from '../../shared/link-button.ts';
import { formatCount, formatPercent, formatShort } from '../../shared/numbers.ts';
import { kindSegments, type BarMark, stackedBar } from '../../shared/stacked-bar.ts';
import { strings } from '../text/chat-strings.ts';

const words = strings.meter;

/** Number of tokens below which a compaction is near. */
const few = 1_000;

/**
 * The fill of the context, which opens the inspector: a bar, and below it the next compaction.
 *
 * @param streamed tokens of the streamed reply that the meter does not include yet
 */
export function meterView(
  counted: Meter,
  streamed: number,
  post: (request: ChatRequest) => void,
): TemplateResult {
  const meter = streamed === 0 ? counted : withReply(counted, streamed);
  const { tokens, window: size, isBreakerOpen, isSpendingLimitReached } = meter;
  const isPaused = isBreakerOpen || isSpendingLimitReached;
  return html`<div class="notice" role="status" ?hidden=${!isPaused}>
      ${
        isPaused
          ? html`${iconTemplate('warning')}<span>${isBreakerOpen ? words.breaker : words.spendingLimit}</span>
              ${linkButton(words.compactNow, () => post({ type: 'compact' }), { class: 'changes-chat' })}`
          : nothing
      }
    </div>
    <button
      type="button"
      class="meter"
      title=${titleOf(meter) ?? nothing}
      @click=${() => post({ type: 'open-inspector' })}
    >
      <span class="spoken">${nameOf(meter)}</span>
      ${
        size === undefined
          ? nothing
          : stackedBar({
              segments: kindSegments(meter.byKind, tokens),
              marks: marksOf(meter),
              scale: Math.max(size, tokens),
            })
      }
      <span class="meter-share" aria-hidden="true"
        >${size === undefined ? words.tokens({ count: tokens }) : formatPercent(tokens / size)}</span
      >
      <span class="meter-rest" aria-hidden="true">${size === undefined ? '' : nextOf(tokens, meter)}</span>
    </button>`;
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

function marksOf({ trigger, background }: CompactionForecast): readonly BarMark[] {
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

addStyles(css`
  .meter {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 3px 8px;
    width: 100%;
    padding: 7px 2px 6px;
    border-radius: var(--radius);
    color: var(--dim);
    font-size: var(--small);
    font-variant-numeric: tabular-nums;
    &:hover {
      color: var(--fg);
    }
    /* Keeps the space before anything is counted. */
    .is-loading & {
      visibility: hidden;
    }
    .bar {
      flex: 0 0 100%;
      height: 6px;
      body.vscode-high-contrast & {
        height: 10px;
      }
    }
  }
`);
