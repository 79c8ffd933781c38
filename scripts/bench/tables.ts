import type { CoverageCount } from '../../src/compaction/records/record.ts';
import { strategyTitle } from '../../src/language/english/strategy-titles-english.ts';
import type { StrategyId } from '../../src/compaction/strategies/index.ts';
import { artifactKinds } from '../../src/measures/artifacts.ts';
import type { DecayStep, NeedLater } from '../../src/measures/need-later.ts';
import { percentText } from '../../src/language/percent.ts';
import { windows, type SupersessionMeasure, type TranscriptMeasures } from './transcript-measures.ts';

type Row = readonly (string | number)[];

/** A Markdown table. */
export function markdown(heading: Row, rows: readonly Row[]): string {
  const lineOf = (cells: Row) => `| ${cells.join(' | ')} |`;
  return [
    lineOf(heading),
    lineOf(heading.map((_, index) => (index === 0 ? '---' : '--:'))),
    ...rows.map(lineOf),
  ].join('\n');
}

export function validityTable(all: readonly TranscriptMeasures[], strategies: readonly StrategyId[]): string {
  const rows = strategies.map((strategy): Row => {
    const cuts = cutsOf(all, strategy);
    const replays = replaysOf(all, strategy);
    const missed = cuts.flatMap(({ missedTarget }) => missedTarget ?? []);
    return [
      nameOf(strategy),
      cuts.length * 2,
      sumOf(cuts.map(({ invalidViews }) => invalidViews)),
      missed.filter((code) => code !== 'exhausted').length,
      missed.filter((code) => code === 'exhausted').length,
      sumOf(replays.map(({ replay }) => replay.calls)),
      sumOf(replays.map(({ replay }) => replay.invalidRequests)),
      sumOf(replays.map(({ replay }) => replay.overflows)),
    ];
  });
  return markdown(
    [
      'strategy',
      'views',
      'invalid views',
      'over a hard target',
      'exhausted',
      'requests',
      'invalid requests',
      'over the window',
    ],
    rows,
  );
}

/** Strategy → the strategy that is measured in its place, for strategies that cannot be measured. */
const measuredInstead: Readonly<Partial<Record<StrategyId, string>>> = {
  custom: 'the last tier alone',
  'provider-native': strategyTitle('ladder').english,
};

function nameOf(strategy: StrategyId): string {
  const instead = measuredInstead[strategy];
  const title = strategyTitle(strategy).english;
  return instead === undefined ? title : `${title} (measures ${instead})`;
}

/** Number of sessions with at least one measured cut. */
export function sessionsMeasured(all: readonly TranscriptMeasures[]): number {
  return all.filter(({ cuts }) => cuts.length > 0).length;
}

/** Table of the remaining tokens and the share of each kind of fact that is kept after a cut. */
export function recallTable(
  all: readonly TranscriptMeasures[],
  strategies: readonly StrategyId[],
  superseded: readonly SupersessionMeasure[],
): string {
  const rows = strategies.map((strategy): Row => {
    const cuts = cutsOf(all, strategy);
    const share = (kept: (cut: (typeof cuts)[number]) => CoverageCount) => shareOf(together(cuts.map(kept)));
    const recall = (which: keyof NeedLater) =>
      artifactKinds.map((kind) => share(({ needLater }) => needLater[which][kind]));
    const medians = windows.map((window) =>
      tokensText(medianOf(cuts.filter((cut) => cut.window === window).map(({ tokensAfter }) => tokensAfter))),
    );
    const fate = superseded.find((measure) => measure.strategy === strategy);
    return [
      nameOf(strategy),
      `${cuts.filter(({ isApplied }) => isApplied).length}/${cuts.length}`,
      medians.join(' / '),
      ...recall('reused'),
      ...recall('mentioned'),
      shareOf(
        together(
          all.flatMap(({ errors }) => errors.flatMap((one) => (one.strategy === strategy ? one.kept : []))),
        ),
      ),
      share(({ typed }) => typed),
      fate === undefined ? '–' : `${fate.newKept} / ${fate.staleCurrent}`,
    ];
  });
  return markdown(
    [
      'strategy',
      'applied',
      `left, ${windows.map((window) => `${window / 1000}k`).join(' / ')}`,
      ...artifactKinds.map((kind) => `${kind} reused`),
      ...artifactKinds.map((kind) => `${kind} mentioned`),
      'error lines',
      'typed',
      'replaced: new / stale',
    ],
    rows,
  );
}

/** Table of the share of the first segment that is found again after one, two and three compactions. */
export function decayTable(all: readonly TranscriptMeasures[], strategies: readonly StrategyId[]): string {
  const steps = [0, 1, 2];
  const rows = strategies.map((strategy): Row => {
    const decays = all.flatMap(({ decays: each }) => each).filter((decay) => decay.strategy === strategy);
    const after = (step: number, kept: (step: DecayStep) => readonly CoverageCount[]) =>
      shareOf(together(decays.flatMap(({ steps: each }) => each.slice(step, step + 1).flatMap(kept))));
    return [
      nameOf(strategy),
      decays.length,
      ...steps.map((step) => after(step, ({ artifacts }) => artifactKinds.map((kind) => artifacts[kind]))),
      ...artifactKinds.map((kind) => after(2, ({ artifacts }) => [artifacts[kind]])),
    ];
  });
  return markdown(
    [
      'strategy',
      'runs',
      ...steps.map((step) => `after ${step + 1}`),
      ...artifactKinds.map((kind) => `${kind}, after 3`),
    ],
    rows,
  );
}

/**
 * A row for each strategy, and one for the policy that masks before every call. `compacted` is the number of
 * transcripts with a compaction, whose mean is shown; `all` is the cost of all transcripts.
 */
export function costTable(
  all: readonly TranscriptMeasures[],
  strategies: readonly StrategyId[],
  window: number,
): string {
  const rows = strategies.map((strategy): Row => {
    const costs = all.flatMap(({ replays, appendOnlyTokens }) =>
      replays
        .filter((measure) => measure.window === window && measure.strategy === strategy)
        .map(({ replay }) => ({ ...replay, appendOnlyTokens })),
    );
    return [nameOf(strategy), ...spreadOf(costs), sumOf(costs.map(({ compactions }) => compactions))];
  });
  const masking = all
    .filter(({ appendOnlyTokens }) => appendOnlyTokens > 0)
    .map(({ maskingTokens: billedTokens, appendOnlyTokens }) => ({
      billedTokens,
      appendOnlyTokens,
      relativeCost: billedTokens / appendOnlyTokens,
      compactions: billedTokens === appendOnlyTokens ? 0 : 1,
    }));
  return markdown(
    ['strategy', 'compacted', 'mean', 'median', 'min', 'max', 'all', 'compactions'],
    [...rows, ['*masking before every call*', ...spreadOf(masking), '–']],
  );
}

interface CostOfOne {
  readonly billedTokens: number;
  readonly appendOnlyTokens: number;
  readonly relativeCost: number;
  readonly compactions: number;
}

function spreadOf(costs: readonly CostOfOne[]): Row {
  const values = costs.filter(({ compactions }) => compactions > 0).map(({ relativeCost }) => relativeCost);
  const together =
    sumOf(costs.map(({ billedTokens }) => billedTokens)) /
    sumOf(costs.map(({ appendOnlyTokens }) => appendOnlyTokens));
  if (values.length === 0) return [0, '–', '–', '–', '–', together.toFixed(3)];
  const spread = [sumOf(values) / values.length, medianOf(values), Math.min(...values), Math.max(...values)];
  return [values.length, ...[...spread, together].map((value) => value.toFixed(3))];
}

function cutsOf(all: readonly TranscriptMeasures[], strategy: StrategyId) {
  return all.flatMap(({ cuts }) => cuts).filter((cut) => cut.strategy === strategy);
}

function replaysOf(all: readonly TranscriptMeasures[], strategy: StrategyId) {
  return all.flatMap(({ replays }) => replays).filter((measure) => measure.strategy === strategy);
}

/** Adds the counts of several kinds. */
function together(all: readonly CoverageCount[]): CoverageCount {
  return {
    kept: sumOf(all.map(({ kept }) => kept)),
    total: sumOf(all.map(({ total }) => total)),
    missing: [],
  };
}

/** A share as a percentage, rounded down so that 100% means all. */
function shareOf({ kept, total }: CoverageCount): string {
  return total === 0 ? '–' : percentText(kept / total, 'en', { decimals: 1, roundsDown: true });
}

function tokensText(tokens: number): string {
  return Number.isNaN(tokens) ? '–' : Math.round(tokens).toLocaleString('en');
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
