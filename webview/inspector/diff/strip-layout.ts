import type { Kind, RowFate } from '../../../src/protocol/engine-terms.ts';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import type { DiffLine } from './diff-lines.ts';

/** The part of a message that is left. */
type Left = 'whole' | 'part' | 'none';

/** A piece of the strip: messages of one kind and fate. Positions are in units of the strip's height. */
export interface Band {
  readonly kind: Kind;
  readonly left: Left;
  readonly from: number;
  readonly to: number;
}

/** A part of the strip, as shares from 0 to 1. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const leftOf: Readonly<Record<RowFate, Left>> = {
  keep: 'whole',
  restore: 'whole',
  insert: 'whole',
  hide: 'part',
  clip: 'part',
  offload: 'part',
  summarise: 'none',
  drop: 'none',
};

/** Kind and tokens of the messages of a row; of the known ones if the extension did not send all. */
function stripOf({ strip, sources }: DiffRowView): readonly (readonly [Kind, number])[] {
  return strip ?? sources.map(({ kind, tokens }) => [kind, tokens]);
}

/**
 * The messages before a change as bands, as high as their tokens. Messages that are too small to see share a band of
 * one unit with the kind of the largest.
 *
 * @param height units of the whole strip
 */
export function bandsOf(rows: readonly DiffRowView[], height: number): readonly Band[] {
  const messages = rows.flatMap((row) =>
    stripOf(row).map(([kind, tokens]) => ({ kind, tokens, left: leftOf[row.fate] })),
  );
  const unit = height / Math.max(1, sum(messages));
  const bands: Band[] = [];
  let [from, to] = [0, 0];
  let largest: (typeof messages)[number] | undefined;
  for (const message of messages) {
    if (largest === undefined || message.tokens > largest.tokens) largest = message;
    to += message.tokens * unit;
    if (to - from < 1) continue;
    bands.push({ kind: largest.kind, left: largest.left, from, to });
    from = to;
    largest = undefined;
  }
  return bands;
}

/** The part of the strip for which each line of the diff stands, as shares from 0 to 1. */
export function spansOf(rows: readonly DiffRowView[], lines: readonly DiffLine[]): readonly Span[] {
  let total = 0;
  const edges = new Map<number, readonly number[]>();
  for (const row of rows) {
    const ofRow = [total, ...stripOf(row).map(([, tokens]) => (total += tokens))];
    edges.set(row.index, ofRow);
  }
  return lines.map(({ row, from, to }) => {
    const ofRow = edges.get(row.index) ?? [0];
    const at = (place: number) => (ofRow[Math.min(place, ofRow.length - 1)] ?? 0) / Math.max(1, total);
    return { from: at(from), to: at(to) };
  });
}

function sum(messages: readonly { readonly tokens: number }[]): number {
  return messages.reduce((total, { tokens }) => total + tokens, 0);
}
