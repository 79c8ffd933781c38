import {
  floorNames,
  type BudgetView,
  type ComparedCount,
  type MoneyView,
} from '../../../src/protocol/inspector-budget.ts';
import { element } from '../../shared/dom.ts';
import { formatCount, formatExactPercent, formatPercent } from '../../shared/numbers.ts';
import { formatMoney } from '../money.ts';
import { strings } from '../text/inspector-strings.ts';

const words = strings.budget.sentences;

/** The numbers of a session, and a sentence for each that needs one. */
export function budgetFacts({ floor, compared, cachedShare, money }: BudgetView): readonly HTMLElement[] {
  const facts = [
    fact(formatCount(floor.total), strings.budget.facts.floor),
    ...(money === undefined ? [] : [fact(formatMoney(money.total), strings.budget.facts.money)]),
    ...(cachedShare === undefined ? [] : [fact(formatPercent(cachedShare), strings.budget.facts.cached)]),
    ...(compared === undefined ? [] : [fact(differenceOf(compared), strings.budget.facts.difference)]),
  ];
  const parts = floorNames
    .filter((name) => floor.byReason[name] > 0)
    .map((name) => words.floorPart(strings.budget.floorNames[name], formatCount(floor.byReason[name])));
  return [
    element('div', { class: 'facts' }, ...facts),
    sentence(parts.length === 0 ? undefined : words.floor(parts)),
    sentence(compared && comparedSentence(compared)),
    sentence(money && moneySentence(money)),
  ].filter((made) => made !== undefined);
}

function fact(number: string, what: string): HTMLElement {
  return element(
    'div',
    { class: 'fact' },
    element('b', {}, number),
    ' ',
    element('div', { class: 'dim' }, what),
  );
}

function sentence(text: string | undefined): HTMLElement | undefined {
  return text === undefined ? undefined : element('p', { class: 'dim budget-sentence' }, text);
}

function comparedSentence({ counted, reported }: ComparedCount): string {
  return counted === reported
    ? words.same(formatCount(reported))
    : words.different(formatCount(counted), formatCount(reported), differenceOf({ counted, reported }));
}

function moneySentence({ uncachedInput, cachedInput, output, unknown, mayBeMore }: MoneyView): string {
  return strings.sentences([
    words.money(formatMoney(uncachedInput), formatMoney(cachedInput), formatMoney(output)),
    ...(unknown === 0 ? [] : [words.moneyUnknown(unknown, formatCount(unknown))]),
    ...(mayBeMore ? [words.moneyMayBeMore] : []),
  ]);
}

/** `+0.4 %`, `−1.2 %` */
function differenceOf({ counted, reported }: ComparedCount): string {
  const share = counted === 0 ? 0 : (reported - counted) / counted;
  const sign = share === 0 ? '±' : share < 0 ? '−' : '+';
  return `${sign}${formatExactPercent(Math.abs(share))}`;
}
