import { Bench, type BenchOptions } from 'tinybench';

/** A measured value of a benchmark. */
export interface Measure {
  /** Name of the measure, as the first cell of its row: "Cold count, against js-tiktoken". */
  readonly name: string;
  readonly value: number;
  /** Values of the single runs, if there were several. */
  readonly spread?: Spread;
  readonly unit: Unit;
  /** The value to reach. A measure without a target is only for information. */
  readonly target?: Target;
  /** Reason for a missed target, or limits of a measure without a target. Not shown if the target is reached. */
  readonly note?: string;
}

export interface Spread {
  readonly lowest: number;
  readonly highest: number;
}

/**
 * `times`: a ratio. `share`: from 0 to 1. `exponent`: how values grow; 1 is linear. Other values have the unit of
 * their name; `bytes` are shown in decimal kilobytes.
 */
export type Unit = 'times' | 'share' | 'exponent' | 'milliseconds' | 'microseconds' | 'bytes' | 'count';

export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** A part of `npm run bench`. It runs in a separate process, so that no part warms up code for another. */
export interface BenchPart {
  readonly title: string;
  /** @throws Error with a message for the user if a requirement is missing */
  measure(): Promise<readonly Measure[]>;
}

export function isMet({ value, target }: Measure): boolean {
  if (target === undefined) return true;
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}

/** Work to be timed, and its preparation. The preparation runs before each run and is not timed. */
export interface Contender {
  readonly run: () => unknown;
  /** Called before every run, and not timed. Creates a new instance if a cold start is measured. */
  readonly prepare?: () => void | Promise<void>;
}

export interface CompareOptions {
  /** Number of timed runs of each contender. */
  readonly runs?: number;
  /** Number of untimed runs before the timed runs; 0 for a cold start. */
  readonly warmups?: number;
  /**
   * `processor` is the processor time of this process. Other programs on the machine affect it less than wall time.
   * Only for work that does not wait.
   */
  readonly clock?: 'wall' | 'processor';
}

/**
 * Times contenders in turn in this process. Taking turns spreads the noise of the machine over all contenders, so that
 * ratios of times in the same round are steadier than the times.
 *
 * @returns milliseconds of each run of each contender
 * @throws the error of a contender
 */
export async function timesInTurn<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  { runs = 5, warmups = 1, clock = 'wall' }: CompareOptions = {},
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(contenders) as Name[];
  for (let warmup = 0; warmup < warmups; warmup++) {
    for (const name of names) await runOnce(contenders[name], clock);
  }
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let run = 0; run < runs; run++) {
    for (const name of names) times[name].push(await runOnce(contenders[name], clock));
  }
  return times;
}

/** The median of times, and their spread. */
export function middleOf(times: readonly number[]): Required<Pick<Measure, 'value' | 'spread'>> {
  return { value: median(times), spread: { lowest: Math.min(...times), highest: Math.max(...times) } };
}

/** The median ratio of times in the same round, and the spread of the ratios. Rounds without a time use the last one. */
export function ratioOf(times: readonly number[], others: readonly number[]): ReturnType<typeof middleOf> {
  const rounds = Math.max(times.length, others.length);
  const at = (some: readonly number[], round: number) => some[Math.min(round, some.length - 1)] ?? NaN;
  return middleOf(Array.from({ length: rounds }, (_, round) => at(times, round) / at(others, round)));
}

/** Returns the median times of contenders that take turns. */
export async function medianTimes<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  options: CompareOptions = {},
): Promise<Readonly<Record<Name, number>>> {
  const times = Object.entries<readonly number[]>(await timesInTurn(contenders, options));
  return Object.fromEntries(times.map(([name, some]) => [name, median(some)])) as Record<Name, number>;
}

/** Makes the library measure one sample at a time, so that contenders can take turns. */
const oneSample: BenchOptions = { iterations: 1, time: 0, warmup: false, throws: true };

/** @returns milliseconds */
async function runOnce({ run, prepare }: Contender, clock: 'wall' | 'processor'): Promise<number> {
  await prepare?.();
  const bench = new Bench(clock === 'wall' ? oneSample : { ...oneSample, now: processorTime }).add(
    'work',
    async () => {
      await run();
    },
  );
  const [task] = await bench.run();
  if (task?.result.state !== 'completed') throw new Error('A benchmark did not complete.');
  return task.result.latency.p50;
}

/** Milliseconds that processors have worked on this process. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
