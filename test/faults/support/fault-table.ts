import type { FaultRow } from './fault-count.ts';

/** A row with its place in the table. */
export interface PlacedRow extends FaultRow {
  /** Name of the file that tried it, for example `sessions`. */
  readonly group: string;
  readonly what: string;
  readonly outcome: 'survived' | 'failed' | 'skipped';
}

/** F1 to F30, which come first, in this order. */
const failureNumber = /^F(\d+)\b/;

/** The table in Markdown: failures F1 to F30 first, then by group in alphabetical order. */
export function faultTable(rows: readonly PlacedRow[]): string {
  const sorted = rows
    .map((row, index) => ({ row, index }))
    .toSorted(
      (a, b) =>
        numberOf(a.row) - numberOf(b.row) || a.row.group.localeCompare(b.row.group) || a.index - b.index,
    )
    .map(({ row }) => row);
  const lines = sorted.map(({ group, what, tries, harmed, outcome, note }) =>
    [group, what, String(tries), String(harmed), outcome, note ?? ''].map(cell).join(' | '),
  );
  return [
    'group | fault | tried | did harm | outcome | remark',
    '--- | --- | --: | --: | --- | ---',
    ...lines,
  ]
    .map((line) => `| ${line} |\n`)
    .join('');
}

function numberOf({ what }: PlacedRow): number {
  return Number(failureNumber.exec(what)?.[1] ?? Number.MAX_SAFE_INTEGER);
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}
