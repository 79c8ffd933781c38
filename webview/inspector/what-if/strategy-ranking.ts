import { type Share, talliedKinds, type WhatIfRow } from '../../../src/protocol/inspector-what-if.ts';

/** The strategy that the page recommends, and why. */
interface Recommendation {
  readonly row: WhatIfRow;
  readonly reason: 'full' | 'nearly' | 'most' | 'only';
}

/** Share of the facts that a recommended strategy keeps, if any strategy does. */
const enough = 0.95;
/** Kinds that count as kept facts. Identifiers are left out, because their number would hide the rest. */
const counted = talliedKinds.filter((kind) => kind !== 'identifiers');
/** Share of the facts that stay in context; 1 in a session without facts. */
export function keptShare({ coverage }: WhatIfRow): number {
  const sum = (part: keyof Share) => counted.reduce((all, kind) => all + coverage[kind][part], 0);
  return shareKept({ kept: sum('kept'), total: sum('total') });
}

/** Strategies that change something, the best first; in the same order whatever the table is sorted by. */
export function ranked(rows: readonly WhatIfRow[]): readonly WhatIfRow[] {
  const most = Math.max(0, ...rows.filter(isApplied).map(keptShare));
  const rankOf = (row: WhatIfRow) => Number(keptShare(row) < Math.min(most, enough));
  const lost = (row: WhatIfRow) => (rankOf(row) === 0 ? 0 : 1 - keptShare(row));
  const isLoss = (row: WhatIfRow) => Number(row.cacheMissTokens > 0 && row.breakEvenCalls === null);
  return rows
    .filter(isApplied)
    .toSorted(
      (one, other) =>
        isLoss(one) - isLoss(other) ||
        rankOf(one) - rankOf(other) ||
        lost(one) - lost(other) ||
        one.tokensAfter - other.tokensAfter ||
        (one.modelCalls ?? 0) - (other.modelCalls ?? 0),
    );
}

/** The best strategy; undefined if none changes anything. */
export function recommended(rows: readonly WhatIfRow[]): Recommendation | undefined {
  const [row, ...others] = ranked(rows);
  if (row === undefined) return undefined;
  const share = keptShare(row);
  const reason = others.length === 0 ? 'only' : share === 1 ? 'full' : share >= enough ? 'nearly' : 'most';
  return { row, reason };
}

function isApplied({ status }: WhatIfRow): boolean {
  return status === 'applied';
}

/** The kept share of some facts; 1 of no facts. */
export function shareKept({ kept, total }: Share): number {
  return total === 0 ? 1 : kept / total;
}
