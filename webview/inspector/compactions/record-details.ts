import { css, html, nothing, type TemplateResult } from 'lit';
import { dropReasons } from '../../../src/protocol/engine-terms.ts';
import type { ExportFormat } from '../../../src/protocol/inspector-compactions.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import {
  compactionNotes,
  listed,
  startSentence,
  strategyName,
  titleOfStrategy,
} from '../../shared/compaction-words.ts';
import { addStyles } from '../../shared/component.ts';
import { formatChange, formatDuration } from '../../shared/numbers.ts';
import { linkButton } from '../../shared/link-button.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { countedKinds, unended } from './outcome-sentence.ts';

const words = inspectorTexts.record;

interface Details {
  readonly record: RecordView;
  readonly post: (request: InspectorRequest) => void;
  readonly canChange: boolean;
  /** Further actions. */
  readonly more: unknown;
}

/** Everything else that is known about a compaction, as short lines, and the rarer actions. */
export function compactionDetails({ record, post, canChange, more }: Details): TemplateResult {
  const { id: recordId, status, isUndone, warnings } = record;
  const isApplied = status === 'applied';
  const link = (label: string, request: InspectorRequest) => linkButton(label, () => post(request));
  const exportAs = (format: ExportFormat, name: string) =>
    link(words.export({ format: name }), { type: 'export-record', recordId, format });
  return html`<section class="details" aria-label=${words.details}>
    <dl>
      ${linesOf(record).map(([term, text]) =>
        text === ''
          ? nothing
          : html`<dt class="dim">${words.terms[term]}</dt>
              <dd>${text}</dd>`,
      )}
    </dl>
    ${
      warnings.length === 0
        ? nothing
        : html`<ul aria-label=${words.warnings}>
            ${warnings.map((warning) => html`<li>${warning}</li>`)}
          </ul>`
    }
    ${
      isApplied
        ? html`<p class="details-actions">
            ${canChange && !isUndone ? link(words.rerun, { type: 'rerun', recordId }) : nothing}
            ${more ?? nothing} ${exportAs('html', 'HTML')} ${exportAs('markdown', 'Markdown')}
          </p>`
        : nothing
    }
  </section>`;
}

type Line = readonly [term: keyof typeof words.terms, text: string];

function linesOf(record: RecordView): readonly Line[] {
  const { status, actualStrategy, requestedStrategy, tokensBefore, tokensAfter, coverage, focus } = record;
  const strategy = strategyName(actualStrategy);
  const tried: Line = ['steps', stepsOf(record)];
  if (status !== 'applied') return [['start', startOf(record)], tried];
  return [
    [
      'strategy',
      actualStrategy === requestedStrategy
        ? strategy
        : words.insteadOf({ strategy, other: strategyName(requestedStrategy) }),
    ],
    ['start', startOf(record)],
    [
      'size',
      listed([
        words.sizes({
          before: tokensBefore,
          after: tokensAfter,
          change: formatChange(tokensBefore, tokensAfter),
        }),
        ...belowTarget(record),
      ]),
    ],
    [
      'kept',
      listed(
        countedKinds(coverage).map(({ kind, total, lost }) =>
          words.counted[kind]({ count: total - lost, total }),
        ),
      ),
    ],
    ['cost', costOf(record)],
    tried,
    ['summary', summaryOf(record)],
    ['notes', listed([...(focus === undefined ? [] : [words.focus({ focus })]), ...compactionNotes(record)])],
  ];
}

/** The reason for the start and the size of the request, in as much detail as the record has. */
function startOf({ trigger, triggerTokens, start, threshold, tokensBefore: counted }: RecordView): string {
  const why = start === 'background' ? inspectorTexts.inBackground : inspectorTexts.triggers[trigger];
  if (triggerTokens === undefined) return why;
  const sentence = startSentence({ source: trigger, tokens: triggerTokens, start, threshold, counted });
  return sentence === undefined ? words.startedAt({ why, tokens: triggerTokens }) : unended(sentence);
}

/** Share of the target. Below it, the record explains why so little is left. */
const nearTarget = 0.9;

function belowTarget({ target, tokensAfter, cost }: RecordView): readonly string[] {
  const isFar = target !== undefined && tokensAfter < target * nearTarget;
  if (!isFar || cost.cacheMissTokens === 0) return [];
  return [words.belowTarget({ target, fewer: target - tokensAfter })];
}

function costOf({ cost }: RecordView): string {
  const { cacheMissTokens: tokens, savedPerCall: saved, breakEvenCalls: count } = cost;
  if (tokens === 0) return words.noMiss;
  return listed([
    words.missed({ tokens, saved }),
    count === null ? words.neverWorth : words.worthAfter({ count }),
  ]);
}

/** The strategies that were tried, if the first one did not succeed. */
function stepsOf({ tiers }: RecordView): string {
  if (tiers.length < 2) return '';
  return tiers
    .map(({ strategy, status, reason }) => {
      const names = { strategy: titleOfStrategy(strategy), status: inspectorTexts.statuses[status] };
      return reason === undefined
        ? words.step(names)
        : words.stepBecause({ ...names, reason: clause(reason.message) });
    })
    .join(' → ');
}

function summaryOf({ summaryModel, durationMs, quotes }: RecordView): string {
  return listed([
    ...(summaryModel === undefined ? [] : [words.summaryBy({ model: summaryModel })]),
    // The duration is unknown for compactions of other agents.
    ...(durationMs === 0 ? [] : [formatDuration(durationMs)]),
    ...(quotes === undefined ? [] : quoteNotes(quotes)),
  ]);
}

/** The number of quotes that were found in the messages, and of the dropped quotes by reason. */
function quoteNotes({ kept, dropped }: NonNullable<RecordView['quotes']>): readonly string[] {
  const parts = dropReasons.flatMap((reason) => {
    const count = dropped[reason] ?? 0;
    return count === 0 ? [] : [words.dropped[reason]({ count })];
  });
  return [
    ...(kept === 0 ? [] : [words.quotesKept({ count: kept })]),
    ...(parts.length === 0 ? [] : [words.quotesDropped({ parts: listed(parts) })]),
  ];
}

/** Rewrites a sentence as part of another sentence. */
function clause(sentence: string): string {
  const open = unended(sentence);
  return /^[A-Z][a-z]/.test(open) ? `${open.charAt(0).toLowerCase()}${open.slice(1)}` : open;
}

addStyles(css`
  .details {
    display: grid;
    gap: 6px;
    padding-bottom: 8px;
    font-variant-numeric: tabular-nums;
    dl {
      display: grid;
      grid-template-columns: max-content minmax(0, 1fr);
      gap: 2px 16px;
    }
  }
  .details-actions {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 16px;
  }
`);
