import type { WhatIfRow } from '../../../src/protocol/inspector-what-if.ts';
import type { MissingKind } from '../../../src/protocol/inspector-compactions.ts';
import { formatCount, formatDuration } from '../../shared/numbers.ts';
import { titleOfStrategy } from '../../shared/compaction-words.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.whatIf;

export const columnNames = Object.keys(words.columns) as readonly ColumnName[];
export type ColumnName = keyof typeof words.columns;

/** The column by which a table is sorted. */
export interface Sorting {
  readonly column: ColumnName;
  readonly isDescending: boolean;
}

/** Columns that count kept facts. */
export const shareColumns: ReadonlyMap<ColumnName, MissingKind> = new Map([
  ['files', 'files'],
  ['commands', 'commands'],
  ['errors', 'errors'],
  ['userMessages', 'userMessages'],
] as const);

/** The direction in which a column is first sorted, with the best on top. */
export function startsDescending(column: ColumnName): boolean {
  return column === 'saved' || shareColumns.has(column);
}

/** The strategy's title, or the title of a custom strategy. */
export function titleOfRow({ strategy, title = strategy }: WhatIfRow): string {
  return titleOfStrategy(title);
}

/** Rows sorted by a column. Rows without an effect are always last. */
export function sorted(rows: readonly WhatIfRow[], { column, isDescending }: Sorting): readonly WhatIfRow[] {
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const applied = Number(other.status === 'applied') - Number(one.status === 'applied');
    if (applied !== 0) return applied;
    const byTitle = titleOfRow(one).localeCompare(titleOfRow(other));
    if (column === 'strategy') return sign * byTitle;
    return sign * (valueOf(one, column) - valueOf(other, column)) || byTitle;
  });
}

/** The text of a cell in the row of a strategy that changes something. */
export function cellText(row: WhatIfRow, column: ColumnName): string {
  switch (column) {
    case 'strategy':
      return titleOfRow(row);
    case 'tokens':
      return formatCount(row.tokensAfter);
    case 'saved':
      return row.savedPerCall <= 0 ? formatCount(-row.savedPerCall) : `−${formatCount(row.savedPerCall)}`;
    case 'miss':
      return formatCount(row.cacheMissTokens);
    case 'payBack': {
      const { breakEvenCalls: calls } = row;
      if (row.cacheMissTokens === 0) return words.noMiss;
      return calls === null ? words.never : words.calls({ count: calls });
    }
    case 'modelCalls':
      return row.modelCalls === undefined ? words.unknown : formatCount(row.modelCalls);
    case 'time':
      return row.durationMs === undefined ? words.unknown : formatDuration(row.durationMs);
    default: {
      const { kept, total } = row.coverage[column];
      return words.keptOf({ kept, total });
    }
  }
}

/** The severity that a cell's colour shows, depending on how much is lost. */
export function concernOf(row: WhatIfRow, column: ColumnName): 'none' | 'some' | 'much' {
  if (column === 'payBack') return cellText(row, column) === words.never ? 'much' : 'none';
  const kind = shareColumns.get(column);
  if (kind === undefined) return 'none';
  const share = shareOf(row.coverage[kind]);
  if (share === 1) return 'none';
  return share > muchIsLost ? 'some' : 'much';
}

/** A kept share up to this counts as much lost. */
const muchIsLost = 0.6;

function valueOf(row: WhatIfRow, column: Exclude<ColumnName, 'strategy'>): number {
  switch (column) {
    case 'tokens':
      return row.tokensAfter;
    case 'saved':
      return row.savedPerCall;
    case 'miss':
      return row.cacheMissTokens;
    case 'payBack':
      return row.cacheMissTokens === 0 ? 0 : (row.breakEvenCalls ?? Number.MAX_SAFE_INTEGER);
    case 'modelCalls':
      return row.modelCalls ?? 0;
    case 'time':
      return row.durationMs ?? 0;
    default:
      return shareOf(row.coverage[column]);
  }
}

function shareOf({ kept, total }: { readonly kept: number; readonly total: number }): number {
  return total === 0 ? 1 : kept / total;
}
