import type { ReportView } from '../../src/protocol/inspector.ts';
import { element, setText } from '../shared/dom.ts';
import { formatCount, formatPercent } from '../shared/numbers.ts';
import { formatMoney } from './money.ts';
import { strings } from './text/inspector-strings.ts';

const reportWords = strings.report;

/** What the providers of a session that was opened from a file reported, beside our count. */
export class ReportLine {
  readonly element = element('p', { class: 'dim usage-report', hidden: true });

  render(report: ReportView | undefined): void {
    this.element.hidden = report === undefined;
    setText(this.element, report === undefined ? '' : strings.sentences(sentencesOf(report)));
  }
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
    reportWords.counted(formatCount(reported), formatCount(counted)),
    ...(difference === 0
      ? []
      : [difference > 0 && missing.length > 0 ? reportWords.notInFile(size, missing) : reportWords.difference(size)]),
    ...(cachedShare === undefined ? [] : [reportWords.cached(formatPercent(cachedShare))]),
    ...(dollars === undefined ? [] : [cost(formatMoney(dollars))]),
  ];
}
