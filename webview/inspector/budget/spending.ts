import { html, nothing, type TemplateResult } from 'lit';
import type { CostView, InspectorState, ReportView } from '../../../src/protocol/inspector.ts';
import { listed } from '../../shared/compaction-words.ts';
import { formatCount, formatMoney, formatPercent } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const reportWords = inspectorTexts.report;

/** The cost of a chat, and the provider's reports on a session opened from a file. */
export function spending({ cost, report }: InspectorState): TemplateResult {
  return html`${cost === undefined ? nothing : html`<p class="dim cost">${costText(cost)}</p>`}
  ${
    report === undefined
      ? nothing
      : html`<p class="dim usage-report">${sentencesOf(report).join(inspectorTexts.betweenSentences)}</p>`
  }`;
}

/** The cost so far, and its parts if there are several. */
function costText({ total, requests, summaries, subAgents, isAtLeast }: CostView): string {
  const words = inspectorTexts.cost;
  const sum = isAtLeast
    ? words.atLeast({ total: formatMoney(total) })
    : words.soFar({ total: formatMoney(total) });
  const parts = [
    ...(requests === 0 ? [] : [words.requests({ dollars: formatMoney(requests) })]),
    ...(summaries === 0 ? [] : [words.summaries({ dollars: formatMoney(summaries) })]),
    ...(subAgents === 0 ? [] : [words.subAgents({ dollars: formatMoney(subAgents) })]),
  ];
  return parts.length < 2 ? sum : words.inParts({ sum, parts: listed(parts) });
}

function sentencesOf({
  counted,
  reported,
  missing,
  cachedShare,
  dollars,
  isPartOfCost,
}: ReportView): string[] {
  const difference = reported - counted;
  const size = formatCount(Math.abs(difference));
  const cost = isPartOfCost ? reportWords.partOfCost : reportWords.cost;
  return [
    reportWords.counted({ reported, counted }),
    ...(difference === 0
      ? []
      : [
          difference > 0 && missing.length > 0
            ? reportWords.notInFile({
                tokens: size,
                parts: missing.map((part) => reportWords.missing[part]).join(reportWords.and),
              })
            : reportWords.difference({ tokens: size }),
        ]),
    ...(cachedShare === undefined ? [] : [reportWords.cached({ share: formatPercent(cachedShare) })]),
    ...(dollars === undefined ? [] : [cost({ money: formatMoney(dollars) })]),
  ];
}
