import type { ReportView } from '../../src/protocol/inspector.ts';
import { element, setText } from '../shared/dom.ts';
import { formatCount, formatPercent } from '../shared/numbers.ts';
import { formatMoney } from './money.ts';
import { strings } from './strings.ts';

const words = strings.report;

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
  const cost = isPartOfCost ? words.partOfCost : words.cost;
  return [
    words.counted(formatCount(reported), formatCount(counted)),
    ...(difference === 0
      ? []
      : [difference > 0 && missing.length > 0 ? words.notInFile(size, missing) : words.difference(size)]),
    ...(cachedShare === undefined ? [] : [words.cached(formatPercent(cachedShare))]),
    ...(dollars === undefined ? [] : [cost(formatMoney(dollars))]),
  ];
}
