import type { Kept } from '../../src/compaction/record.ts';
import type { StrategyId } from '../../src/compaction/strategies/index.ts';
import { artifactKinds } from '../../src/measures/artifacts.ts';
import type { DecayStep } from '../../src/measures/decay.ts';
import type { NeedLater } from '../../src/measures/need-later.ts';
import { windows, type TranscriptMeasures } from './transcript-measures.ts';

const factKinds = ['files', 'commands', 'errors', 'identifiers', 'userMessages'] as const;

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
      strategy,
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

/** @param which what counts as needed: reused from a call, or mentioned anywhere */
export function recallTable(
  all: readonly TranscriptMeasures[],
  strategies: readonly StrategyId[],
  which: keyof NeedLater,
): string {
  const rows = strategies.map((strategy): Row => {
    const cuts = cutsOf(all, strategy);
    const shares = artifactKinds.map((kind) =>
      shareOf(together(cuts.map(({ needLater }) => needLater[which][kind]))),
    );
    const medians = windows.map((window) =>
      tokensText(medianOf(cuts.filter((cut) => cut.window === window).map(({ tokensAfter }) => tokensAfter))),
    );
    const applied = cuts.filter(({ isApplied }) => isApplied).length;
    return [strategy, `${applied}/${cuts.length}`, ...shares, ...medians];
  });
  return markdown(
    ['strategy', 'applied', ...artifactKinds, ...windows.map((window) => `tokens left, ${window / 1000}k`)],
    rows,
  );
}

/** The ledger's facts after each compaction, and by kind after the last; then what the probe's extractor finds. */
export function decayTable(all: readonly TranscriptMeasures[], strategies: readonly StrategyId[]): string {
  const steps = [0, 1, 2];
  const rows = strategies.map((strategy): Row => {
    const decays = all.flatMap(({ decays: each }) => each).filter((decay) => decay.strategy === strategy);
    const after = (step: number, kept: (step: DecayStep) => readonly Kept[]) =>
      shareOf(together(decays.flatMap(({ steps: each }) => each.slice(step, step + 1).flatMap(kept))));
    return [
      strategy,
      decays.length,
      ...steps.map((step) => after(step, ({ facts }) => factKinds.map((kind) => facts[kind]))),
      ...factKinds.map((kind) => after(2, ({ facts }) => [facts[kind]])),
      ...steps.map((step) => after(step, ({ artifacts }) => artifactKinds.map((kind) => artifacts[kind]))),
    ];
  });
  return markdown(
    [
      'strategy',
      'runs',
      ...steps.map((step) => `facts ${step + 1}`),
      ...factKinds.map((kind) => `${kind} 3`),
      ...steps.map((step) => `probe ${step + 1}`),
    ],
    rows,
  );
}

/**
 * One row for each strategy, and the policy that masks before every call. `compacted` counts the transcripts in which
 * anything was compacted, and the mean is theirs; `all` is the bill of all transcripts together.
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
    return [strategy, ...spreadOf(costs), sumOf(costs.map(({ compactions }) => compactions))];
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

/** Counts of several kinds as one. */
function together(all: readonly Kept[]): Kept {
  return {
    kept: sumOf(all.map(({ kept }) => kept)),
    total: sumOf(all.map(({ total }) => total)),
    missing: [],
  };
}

/** Rounded down, so that 100 % means all. */
function shareOf({ kept, total }: Kept): string {
  return total === 0 ? '–' : `${(Math.floor((kept / total) * 1000) / 10).toFixed(1)} %`;
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
