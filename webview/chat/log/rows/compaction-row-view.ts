import { css, html, nothing, type TemplateResult } from 'lit';
import type { Coverage, CoverageCount } from '../../../../src/protocol/engine-terms.ts';
import type { CompactionRow, FateCount, RecordDetails } from '../../../../src/protocol/chat-rows.ts';
import {
  compactionNotes,
  fateWords,
  startName,
  startSentence,
  titleOfStrategy,
  listed,
} from '../../../shared/compaction-words.ts';
import { component, freshId } from '../../../shared/component.ts';
import { iconTemplate } from '../../../shared/icons.ts';
import { linkButton } from '../../../shared/link-button.ts';
import { formatCount, formatDuration, formatShort } from '../../../shared/numbers.ts';
import { strings } from '../../text/chat-strings.ts';
import { revealed } from '../../text/deceptive-characters.ts';
import { RowElement } from './row-element.ts';

/** The row of a compaction. Links to its diff, can undo it, and unfolds to its effects. */
export class CompactionRowElement extends RowElement<CompactionRow> {
  static override styles = css`
    .compaction {
    }

    .compaction {
      display: flex;
      align-items: baseline;
      flex-wrap: wrap;
      gap: 2px 8px;
      margin: 10px calc(-1 * var(--edge));
      padding: 5px var(--edge);
      border-block: 1px solid var(--line);
      color: var(--dim);
      font-size: 0.92em;
      font-variant-numeric: tabular-nums;
    }

    .compaction + .compaction {
      margin-top: -11px;
    }

    .compaction-line {
      flex: 1 1 110px;
      min-width: 0;
    }

    .compaction-line > .icon {
      align-self: center;
    }

    .compaction.is-refused .icon-compaction {
      align-self: flex-start;
      margin-top: 0.25em;
      color: var(--warning);
    }

    .compaction-words {
      flex: 1 1 90px;
      min-width: 0;
    }

    .compaction-actions {
      display: flex;
      gap: 10px;
    }

    .record {
      flex: 1 1 100%;
      padding: 2px 0 2px 15px;
    }

    .record > p {
      margin-top: 3px;
    }

    .fates {
      display: grid;
      grid-template-columns: auto auto 1fr;
      gap: 0 7px;
    }

    .record-fate {
      display: grid;
      grid-column: 1 / -1;
      grid-template-columns: subgrid;
      align-items: center;
    }

    @media (max-width: 260px) {
      .fate-tokens {
        grid-column: 2 / -1;
      }
    }

    .record-warning {
      display: flex;
      gap: 6px;
    }

    .record-warning .icon {
      margin-top: 0.22em;
      color: var(--warning);
    }
  `;
  private readonly panelId = freshId();
  private details: RecordDetails | undefined;
  private isAsked = false;

  /** Shows the details that were requested when the row was opened. */
  showDetails(details: RecordDetails): void {
    this.details = details;
    this.requestUpdate();
  }

  protected override willUpdate(): void {
    this.classList.toggle('is-refused', this.props.row.status !== 'applied');
  }

  protected override render(): TemplateResult {
    const { row, context } = this.props;
    const { post } = context;
    const { id, status, isUndone, trigger } = row;
    const isOpen = this.isOpen;
    const isApplied = status === 'applied';
    return html`<button
        type="button"
        class="disclosure compaction-line"
        aria-expanded=${String(isOpen)}
        aria-controls=${this.panelId}
        @click=${() => this.unfold(!isOpen)}
      >
        ${iconTemplate('chevron')}${iconTemplate('compaction')}
        <span class="compaction-words" title=${(trigger && startSentence(trigger)) ?? nothing}
          >${describe(row)}</span
        >
      </button>
      <span class="compaction-actions">
        ${linkButton(isApplied ? strings.diff : strings.details, () => post({ type: 'open-inspector', recordId: id }))}
        ${
          isApplied && !isUndone
            ? linkButton(strings.undo, () => post({ type: 'undo', recordId: id }), { class: 'changes-chat' })
            : nothing
        }
      </span>
      <div id=${this.panelId} class="record" ?hidden=${!isOpen}>
        ${!isOpen ? nothing : this.details === undefined ? words.loading : recordFacts(row, this.details)}
      </div>`;
  }

  protected override updated(): void {
    if (!this.isOpen || this.isAsked) return;
    this.isAsked = true;
    this.props.context.post({ type: 'record-summary', recordId: this.props.row.id });
  }

  private get isOpen(): boolean {
    return this.props.context.open.has(`compaction:${this.props.row.id}`);
  }

  private unfold(isOpen: boolean): void {
    this.props.context.open.set(`compaction:${this.props.row.id}`, isOpen);
    this.requestUpdate();
  }
}

export const compactionRowView = component('cb-compaction-row', CompactionRowElement);

function describe(row: CompactionRow): string {
  const { requestedStrategy, status, reason } = row;
  const strategy = titleOfStrategy(row.strategy);
  if (status === 'applied') {
    const byHand = describeByHand(row);
    if (row.isUndone) return strings.undone({ what: byHand ?? strategy });
    if (byHand !== undefined) return byHand;
    const standsIn = requestedStrategy !== undefined && requestedStrategy !== row.strategy;
    const start = startName(row.trigger?.start);
    return [
      strings.applied({
        strategy,
        before: formatShort(row.tokensBefore),
        after: formatShort(row.tokensAfter),
      }),
      ...partOf(row),
      ...(start === undefined ? [] : [start]),
      ...(standsIn ? [strings.inPlaceOf({ strategy: titleOfStrategy(requestedStrategy) })] : []),
      ...compactionNotes({ ...row, actualStrategy: row.strategy, part: undefined }),
    ].join(' · ');
  }
  const what = strings.notApplied[status]({ strategy: titleOfStrategy(requestedStrategy ?? row.strategy) });
  return reason === undefined || reason === ''
    ? strings.sentence({ what })
    : strings.because({ what, reason });
}

const { didHide, didHidePictures, didRewind, ofPart } = strings.hand;

/** Description of a manual compaction; undefined for other compactions. */
function describeByHand({ byHand, tokensBefore, tokensAfter }: CompactionRow): string | undefined {
  if (byHand === undefined) return undefined;
  const { messages } = byHand;
  switch (byHand.what) {
    case 'hide':
      return didHide({ messages, tokens: tokensBefore - tokensAfter });
    case 'pictures':
      return didHidePictures({ messages });
    case 'rewind':
      return [
        didRewind,
        strings.record.fromTo({ before: formatShort(tokensBefore), after: formatShort(tokensAfter) }),
      ].join(' · ');
    case 'part':
      return undefined;
  }
}

function partOf({ byHand }: CompactionRow): readonly string[] {
  if (byHand?.what !== 'part') return [];
  return [ofPart({ messages: byHand.messages })];
}

const words = strings.record;

/** Maximum number of missing facts that are named. The others are only counted. */
const longestList = 8;

const covered = [
  'files',
  'commands',
  'errors',
  'identifiers',
  'userMessages',
] as const satisfies readonly (keyof Coverage)[];

/** The effects of a compaction: the fates of messages, the facts kept, and the cost. */
function recordFacts(row: CompactionRow, details: RecordDetails): TemplateResult {
  const { fates, coverage, tiers, warnings } = details;
  const isApplied = row.status === 'applied';
  const why = row.trigger === undefined ? undefined : startSentence(row.trigger);
  const lines = [
    ...(isApplied ? [...sentences(coverage), costOf(details)] : []),
    ...(tiers.length > 1 || !isApplied ? triedOf(details) : []),
    ...tookOf(details),
  ];
  return html`${why === undefined ? nothing : html`<p>${why}</p>`}
  ${
    isApplied && fates.length > 0
      ? html`<ul class="fates" aria-label=${words.fates}>
          ${fates.map(fateItem)}
        </ul>`
      : nothing
  }
  ${lines.map((line) => html`<p>${line}</p>`)}
  ${warnings.map(
    (warning) =>
      html`<p class="record-warning">${iconTemplate('warning')}<span>${revealed(warning)}</span></p>`,
  )}`;
}

/** Sizes before and after the compaction; a single number if they are equal. */
function tokensOf({ tokensBefore, tokensAfter }: FateCount): string {
  const [before, after] = [formatShort(tokensBefore), formatShort(tokensAfter)];
  return tokensBefore === tokensAfter
    ? strings.tokensOf({ count: before })
    : strings.tokensOf({ count: words.fromTo({ before, after }) });
}

function fateItem(count: FateCount): TemplateResult {
  const { fate, messages } = count;
  return html`<li class="record-fate">
    ${iconTemplate(fate)} <span>${words.fate({ count: messages, name: fateWords[fate] })}</span>
    <span class="fate-tokens">${tokensOf(count)}</span>
  </li>`;
}

/** The share of facts kept, and the names of missing facts. */
function sentences(coverage: Coverage): readonly string[] {
  const parts = covered.flatMap((name) => {
    const { kept, total } = coverage[name];
    return total === 0 ? [] : [words.coverage[name]({ kept, total })];
  });
  // Typed messages are known only by their ids.
  const missing = covered.filter((name) => name !== 'userMessages').map((name) => coverage[name]);
  const names = missing.flatMap(({ missing: some }) => some).slice(0, longestList);
  const rest = sumOfMissing(missing) - names.length;
  const messages = sumOfMissing([coverage.userMessages]);
  const lost = names.map((name) => revealed(name).replace(/\s+/g, ' '));
  if (rest > 0 && names.length > 0) lost.push(words.andMore({ count: rest }));
  if (messages > 0) lost.push(words.yourMessages({ count: messages }));
  return [
    ...(parts.length === 0 ? [] : [strings.sentence({ what: words.kept({ parts: listed(parts) }) })]),
    ...(lost.length === 0 ? [] : [strings.sentence({ what: words.missing({ names: listed(lost) }) })]),
  ];
}

function sumOfMissing(parts: readonly CoverageCount[]): number {
  return parts.reduce((sum, { kept, total }) => sum + total - kept, 0);
}

function costOf({ cost }: RecordDetails): string {
  const { cacheMissTokens, savedPerCall, breakEvenCalls: calls } = cost;
  if (calls === null || savedPerCall <= 0) return words.neverPaysBack;
  const saved = formatCount(savedPerCall);
  if (cacheMissTokens === 0) return words.noMiss({ saved });
  return words.paysBack({ missed: cacheMissTokens, saved, calls });
}

function triedOf({ tiers }: RecordDetails): readonly string[] {
  if (tiers.length === 0) return [];
  const tried = tiers.map(({ strategy, status }) =>
    words.tier({ strategy: titleOfStrategy(strategy), status: words.tierStatuses[status] }),
  );
  return [strings.sentence({ what: words.tried({ tiers: listed(tried) }) })];
}

/** The duration of the compaction. It is unknown for other agents. */
function tookOf({ durationMs, summaryModel }: RecordDetails): readonly string[] {
  if (durationMs === 0) return [];
  const duration = formatDuration(durationMs);
  return [
    summaryModel === undefined ? words.took({ duration }) : words.tookWith({ duration, model: summaryModel }),
  ];
}
