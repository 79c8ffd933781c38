import { css, html, nothing, type TemplateResult } from 'lit';
import { type Kind, kinds } from '../../../src/protocol/engine-terms.ts';
import {
  type BudgetView,
  type ComparedCount,
  floorNames,
  type MoneyView,
} from '../../../src/protocol/inspector-budget.ts';
import type { CostView, InspectorState, UsageView } from '../../../src/protocol/inspector.ts';
import { kindNames, listed } from '../../shared/compaction-words.ts';
import { addStyles } from '../../shared/component.ts';
import { formatCount, formatExactPercent, formatMoney, formatPercent } from '../../shared/numbers.ts';
import { beyondOf, totalOf } from '../page/window-usage.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const texts = inspectorTexts.inWindow;
const words = texts.numbers;

/** The numbers of a session: tokens by kind, which add up to the total, and what is known about them and the cost. */
export function numbersTable(session: InspectorState, view: BudgetView): TemplateResult {
  const { usage } = session;
  const { window: size, reserved, byKind } = usage;
  const total = totalOf(usage);
  const beyond = beyondOf(usage);
  const areShared = session.strategy === 'budgeted' && size !== undefined;
  const row = (
    name: string,
    tokens: number,
    swatch?: Kind | 'notInFile' | 'free' | 'reserved',
  ): TemplateResult =>
    html`<tr class="line-${swatch ?? 'total'}">
      <th scope="row">
        ${swatch === undefined ? nothing : html`<i class="swatch kind kind-${swatch}"></i>`}${name}
      </th>
      <td>${formatCount(tokens)}</td>
      <td class="dim">${tokens < 0 ? '' : formatExactPercent(tokens / (size ?? total))}</td>
      ${areShared ? html`<td class="dim">${shareText(usage, swatch)}</td>` : nothing}
    </tr>`;
  return html`<div class="numbers">
    <table aria-label=${words.table}>
      <thead>
        <tr>
          <th scope="col">${words.kind}</th>
          <th scope="col">${words.tokens}</th>
          <th scope="col">${words.share}</th>
          ${areShared ? html`<th scope="col">${words.allotted}</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${kinds.filter((kind) => byKind[kind] > 0).map((kind) => row(kindNames[kind], byKind[kind], kind))}
        ${
          beyond === 0
            ? nothing
            : row(usage.fullness === undefined ? texts.countedMore : texts.notInFile, beyond, 'notInFile')
        }
        ${row(words.total, total)}
        ${reserved === 0 || size === undefined ? nothing : row(texts.reserved, reserved, 'reserved')}
        ${size === undefined ? nothing : row(texts.free, Math.max(0, size - total - reserved), 'free')}
      </tbody>
    </table>
    <dl>
      ${factsOf(session, view).map(
        ([name, value]) =>
          html`<dt class="dim">${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </div>`;
}

/** Compares a kind with its share of the window. */
function shareText({ window: size = 0, byKind, allotted }: UsageView, swatch: string | undefined): string {
  const kind = kinds.find((known) => known === swatch);
  if (kind === undefined) return '';
  const over = byKind[kind] / size - allotted[kind];
  const share = formatPercent(allotted[kind]);
  if (over <= 0) return words.within({ share });
  return words.over({ share, points: String(Math.round(over * 1000) / 10) });
}

/** Names and values of what else is known; unknown values are left out. */
function factsOf(session: InspectorState, view: BudgetView): readonly (readonly [string, string])[] {
  const { usage, report, cost } = session;
  const { compared = report, money, floor } = view;
  const cachedShare = view.cachedShare ?? report?.cachedShare;
  const parts = floorNames
    .filter((name) => floor.byReason[name] > 0)
    .map((name) =>
      inspectorTexts.usage.barKind({ kind: texts.floorNames[name], tokens: floor.byReason[name] }),
    );
  const facts: readonly (readonly [string, string | undefined])[] = [
    [words.window, windowText(usage)],
    [words.counted, countText(usage)],
    [words.reported, reportedText(usage)],
    [words.lastRequest, compared && comparedText(compared)],
    [
      words.cached,
      cachedShare === undefined ? undefined : words.ofInput({ share: formatPercent(cachedShare) }),
    ],
    [words.cost, costText(cost, report)],
    [words.ofRequests, money && moneyText(money)],
    [words.floor, floor.total === 0 ? undefined : `${formatCount(floor.total)} (${listed(parts)})`],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function windowText({ window: size, fullness, ...usage }: UsageView): string | undefined {
  if (size === undefined) return undefined;
  const { alternatives = [], compactsAt } = fullness ?? {};
  const total = totalOf({ window: size, fullness, ...usage });
  return [
    [size, ...alternatives].map(formatCount).join(words.or),
    ...(compactsAt === undefined
      ? []
      : [words.compactsAt({ share: formatExactPercent(total / compactsAt), trigger: compactsAt })]),
  ].join(' · ');
}

function countText(usage: UsageView): string {
  const beyond = beyondOf(usage);
  const count = formatCount(usage.tokens - (usage.fullness === undefined ? beyond : 0));
  if (usage.fullness !== undefined && beyond > 0) return words.visible({ tokens: count, unseen: beyond });
  return usage.isApproximate ? `${count} (${words.approximately})` : count;
}

function reportedText({ reported }: UsageView): string | undefined {
  if (reported === undefined) return undefined;
  const { tokens, messagesSince } = reported;
  return [formatCount(tokens), ...(messagesSince === 0 ? [] : [words.ago({ messages: messagesSince })])].join(
    ' · ',
  );
}

/** Both counts and their difference in percent, such as `+0.4%` or `−1.2%`. */
function comparedText({ counted, reported }: ComparedCount): string {
  const share = counted === 0 ? 0 : (reported - counted) / counted;
  const sign = share === 0 ? '±' : share < 0 ? '−' : '+';
  return words.compared({ reported, counted, difference: `${sign}${formatExactPercent(Math.abs(share))}` });
}

function costText(cost: CostView | undefined, report: InspectorState['report']): string | undefined {
  if (cost === undefined) {
    if (report?.dollars === undefined) return undefined;
    const money = formatMoney(report.dollars);
    return report.isPartOfCost ? words.atLeast({ money }) : money;
  }
  const money = formatMoney(cost.total);
  const parts = (['requests', 'summaries', 'subAgents'] as const)
    .filter((name) => cost[name] > 0)
    .map((name) => words.costParts[name]({ dollars: formatMoney(cost[name]) }));
  const sum = cost.isAtLeast ? words.atLeast({ money }) : money;
  return parts.length < 2 ? sum : `${sum} (${listed(parts)})`;
}

function moneyText({ uncachedInput, cachedInput, output, unknown, mayBeMore }: MoneyView): string {
  return [
    words.moneyParts({
      uncached: formatMoney(uncachedInput),
      cached: formatMoney(cachedInput),
      output: formatMoney(output),
    }),
    ...(unknown === 0 ? [] : [words.unknown({ count: unknown })]),
    ...(mayBeMore ? [words.cacheWrites] : []),
  ].join(' · ');
}

addStyles(css`
  .numbers {
    display: flex;
    flex-wrap: wrap;
    gap: 12px 48px;
    font-variant-numeric: tabular-nums;
    th {
      padding: 1px 24px 1px 0;
      font-weight: inherit;
      text-align: start;
    }
    thead {
      color: var(--dim);
    }
    td,
    thead th + th {
      padding: 1px 0 1px 18px;
      text-align: end;
    }
    @media (max-width: 400px) {
      th,
      td,
      thead th + th {
        padding-inline: 0 6px;
        overflow-wrap: anywhere;
      }
    }
    @media (max-width: 260px) {
      table {
        width: 100%;
        table-layout: fixed;
      }
      td + td,
      th + th + th {
        display: none;
      }
    }
    .swatch {
      display: inline-block;
      margin-inline-end: 7px;
    }
    .line-total {
      font-weight: 600;
    }
    dl {
      display: grid;
      flex: 1 1 min(320px, 100%);
      min-width: 0;
      grid-template-columns: auto minmax(0, 1fr);
      align-content: start;
      gap: 2px 18px;
      max-width: 90ch;
      @media (max-width: 260px) {
        grid-template-columns: minmax(0, 1fr);
      }
    }
  }
`);
