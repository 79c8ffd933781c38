import {
  talliedKinds,
  type TalliedKind,
  type WhatIfRow,
  type WhatIfView,
} from '../../../src/protocol/inspector-what-if.ts';
import { listed, titleOfStrategy } from '../../shared/compaction-words.ts';
import {
  formatCount,
  formatDuration,
  formatMoney,
  formatPercent,
  formatShort,
} from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { keptShare, recommended, shareKept } from './strategy-ranking.ts';

const words = inspectorTexts.whatIf;

export type OutcomeColumn = keyof typeof words.columns;

/** The column by which a table is sorted. */
export interface Sorting {
  readonly column: OutcomeColumn;
  readonly isDescending: boolean;
}

const bestColumns: readonly OutcomeColumn[] = [
  'strategy',
  'tokens',
  'kept',
  'files',
  'commands',
  'rules',
  'modelCalls',
  'worthIt',
];

/** The strategy's title, or the title of a custom strategy. */
export function titleOfRow({ strategy, title = strategy }: WhatIfRow): string {
  return titleOfStrategy(title);
}

/** The answer of a comparison, as a sentence in which the title of the strategy occurs once. */
export function answerOf({ rows, current, made }: WhatIfView): string {
  const best = recommended(rows);
  if (best === undefined) return words.noneChanges;
  const { row, reason } = best;
  const say =
    made === undefined ? (row.strategy === current ? words.stay : words.answer) : words.replayAnswer;
  const answer = say({
    strategy: titleOfRow(row),
    share: formatPercent(keptShare(row)),
    tokens: formatShort(row.tokensAfter),
    reason: words.reasons[reason],
  });
  if (made === undefined) return answer;
  const actual = words.madeAnswer({
    who: titleOfRow(made),
    share: formatPercent(keptShare(made)),
    tokens: formatShort(made.tokensAfter),
  });
  return `${answer}${inspectorTexts.betweenSentences}${actual}`;
}

/** Columns with something to compare: not those that are empty or zero in every row. */
export function columnsFor(rows: readonly WhatIfRow[], isWhole: boolean): readonly OutcomeColumn[] {
  const all = Object.keys(words.columns) as OutcomeColumn[];
  return all.filter(
    (column) =>
      (isWhole || bestColumns.includes(column)) &&
      (isTally(column)
        ? rows.some(({ coverage }) => coverage[column].total > 0)
        : column !== 'modelCalls' || rows.some(({ modelCalls = 0 }) => modelCalls > 0)),
  );
}

/** Rows sorted by a column; in their own order without one. */
export function sorted(rows: readonly WhatIfRow[], sorting: Sorting | undefined): readonly WhatIfRow[] {
  if (sorting === undefined) return rows;
  const { column, isDescending } = sorting;
  return rows.toSorted(
    (one, other) =>
      (isDescending ? -1 : 1) *
      (column === 'strategy'
        ? titleOfRow(one).localeCompare(titleOfRow(other))
        : valueOf(one, column) - valueOf(other, column)),
  );
}

/** The direction in which a column is first sorted, with the best on top. */
export function startsDescending(column: OutcomeColumn): boolean {
  return column === 'kept' || column === 'saved' || isTally(column);
}

/** The text of a cell. */
export function cellText(row: WhatIfRow, column: Exclude<OutcomeColumn, 'strategy'>): string {
  switch (column) {
    case 'tokens':
      return formatCount(row.tokensAfter);
    case 'kept':
      return formatPercent(keptShare(row));
    case 'saved':
      return formatCount(row.savedPerCall);
    case 'miss':
      return formatCount(row.cacheMissTokens);
    case 'worthIt':
      if (row.cacheMissTokens === 0) return words.atOnce;
      return row.breakEvenCalls === null ? words.never : words.requests({ count: row.breakEvenCalls });
    case 'modelCalls':
      return row.modelCalls === undefined ? words.unknown : formatCount(row.modelCalls);
    case 'time':
      return row.durationMs === undefined ? words.unknown : formatDuration(row.durationMs);
    default:
      return words.keptOf(row.coverage[column]);
  }
}

/** Savings and price of a strategy, as a sentence after its title. */
export function effectOf({ savedPerCall, cacheMissTokens, money }: WhatIfRow): string {
  const tokens = (count: number, dollars: number | undefined) =>
    dollars === undefined
      ? formatCount(count)
      : words.withMoney({ tokens: formatCount(count), money: formatMoney(dollars) });
  const saved = words[savedPerCall < 0 ? 'adds' : 'saves']({
    tokens: tokens(Math.abs(savedPerCall), money && Math.abs(money.savedPerCall)),
  });
  if (cacheMissTokens === 0) return words.effect({ saved });
  return words.effectWithMiss({ saved, tokens: tokens(cacheMissTokens, money?.now) });
}

/** Facts that a strategy loses, such as `1 file and 2 commands`; undefined if nothing. */
export function lossOf({ coverage }: WhatIfRow): string | undefined {
  const lost = talliedKinds
    .map((kind) => [kind, coverage[kind].total - coverage[kind].kept] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => words.losses[kind]({ count }));
  return lost.length === 0 ? undefined : listed(lost);
}

function isTally(column: OutcomeColumn): column is OutcomeColumn & TalliedKind {
  return (talliedKinds as readonly string[]).includes(column);
}

function valueOf(row: WhatIfRow, column: Exclude<OutcomeColumn, 'strategy'>): number {
  switch (column) {
    case 'tokens':
      return row.tokensAfter;
    case 'kept':
      return keptShare(row);
    case 'saved':
      return row.savedPerCall;
    case 'miss':
      return row.cacheMissTokens;
    case 'worthIt':
      return row.cacheMissTokens === 0 ? 0 : (row.breakEvenCalls ?? Number.MAX_SAFE_INTEGER);
    case 'modelCalls':
      return row.modelCalls ?? 0;
    case 'time':
      return row.durationMs ?? 0;
    default:
      return shareKept(row.coverage[column]);
  }
}
