import type { FoldedText } from '../rows/folded-text.ts';
import { rangeIn, rowText } from './row-text.ts';

/** Matches that are found before the search ends. */
export const mostMatches = 1000;

/** A row that can be searched. */
export interface SearchedRow {
  readonly element: HTMLElement;
  readonly folded?: FoldedText;
}

export interface Match {
  readonly row: SearchedRow;
  /** Undefined in a text that is folded away. */
  readonly range: StaticRange | undefined;
}

/** Finds a text in rows, in their order and whatever the case; what is folded away comes behind the rest of its row. */
export function findMatches(rows: Iterable<SearchedRow>, query: string): readonly Match[] {
  if (query === '') return [];
  const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  const matches: Match[] = [];
  for (const row of rows) {
    const shown = rowText(row.element);
    for (const { 0: found, index } of shown.text.matchAll(pattern)) {
      if (matches.push({ row, range: rangeIn(shown, index, index + found.length) }) >= mostMatches)
        return matches;
    }
    for (const _ of (row.folded?.text() ?? '').matchAll(pattern)) {
      if (matches.push({ row, range: undefined }) >= mostMatches) return matches;
    }
  }
  return matches;
}
