import { readFileSync } from 'node:fs';
import type { Outcomes } from './plan-outcome.ts';

/** Known differences from an original, each with its reason. */
export interface KnownDifference {
  /** The difference: theirs → ours. */
  readonly difference: string;
  readonly reason: string;
}

interface Group {
  readonly reason: string;
  /** Differences by case. */
  readonly cases: Readonly<Record<string, string>>;
}

const file = new URL('./differences.json', import.meta.url);

/** Differences by case. */
export const knownDifferences: ReadonlyMap<string, KnownDifference> = new Map(
  (JSON.parse(readFileSync(file, 'utf8')) as readonly Group[]).flatMap(({ reason, cases }) =>
    Object.entries(cases).map(([id, difference]) => [id, { difference, reason }] as const),
  ),
);

/** The values on which the two outcomes disagree, as theirs → ours; `none` if they agree. */
export function differenceOf({ theirs, ours }: Outcomes): string {
  const differences = Object.keys(theirs).flatMap((name) => {
    const [one, other] = [JSON.stringify(theirs[name]), JSON.stringify(ours[name])];
    return one === other ? [] : [`${name}: ${one} → ${other}`];
  });
  return differences.length === 0 ? 'none' : differences.join('; ');
}
