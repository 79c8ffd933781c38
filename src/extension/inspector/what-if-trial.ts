import { OfflineModel } from '../../agent/offline/offline-model.ts';
import type { Budget } from '../../compaction/budget/budget.ts';
import type { CancellationSignal } from '../../compaction/cancellation.ts';
import type { ToolSchema } from '../../compaction/message.ts';
import type { CustomStrategy } from '../../compaction/strategies/contract/custom-strategy.ts';
import { strategyOf, type StrategyId } from '../../compaction/strategies/index.ts';
import type { EncodingName } from '../../compaction/tokens/encoding.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { Transcript } from '../../compaction/transcript.ts';
import { whatIf, type Outcome } from '../../insights/what-if.ts';
import { setImmediate as pause } from 'node:timers/promises';

/** Strategies to try on a transcript, as plain data, so that another thread can do it. */
export interface Trial {
  readonly candidates: readonly TrialCandidate[];
  readonly tools: readonly ToolSchema[];
  readonly budget: Budget;
  readonly protectFirst: boolean;
  readonly focus: string | undefined;
  /** Whether the offline model stands in for another one that would be asked for summaries. */
  readonly hasStandInModel: boolean;
  /** What tokens are counted with. */
  readonly encoding: EncodingName;
  /** What the ids of the records begin with. */
  readonly recordPrefix: string;
}

export interface TrialCandidate {
  readonly strategy: StrategyId;
  /** Checked against the strategy's schema. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** What is said while strategies are tried: which one is, and what was done since. */
export type TellProgress = (running: string | undefined, done: readonly Outcome[]) => void;

export interface TrialPorts {
  readonly meter: UsageMeter;
  /** What `custom` stands for; not given where nothing is named. */
  readonly outside?: (() => Promise<CustomStrategy>) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Tries strategies on this thread. No provider is asked: the offline model writes what summaries there are. */
export async function tryStrategies(
  trial: Trial,
  transcript: Pick<Transcript, 'entries' | 'view' | 'pins'>,
  { meter, outside, now }: TrialPorts,
  tellProgress: TellProgress,
  signal: CancellationSignal,
): Promise<void> {
  const { candidates, tools, budget, protectFirst, focus, hasStandInModel, recordPrefix } = trial;
  const standIn = new OfflineModel({ window: budget.window });
  let records = 0;
  let told = 0;
  await whatIf(
    {
      transcript,
      tools,
      budget,
      protectFirst,
      focus,
      candidates: candidates.map(({ strategy, options }) => ({ strategy: strategyOf(strategy), options })),
    },
    {
      meter,
      model: () => standIn,
      clock: { now },
      nextRecordId: () => `${recordPrefix}-${++records}`,
      hasStandInModels: hasStandInModel,
      pause,
      ...(outside === undefined ? {} : { outside }),
    },
    ({ running, outcomes }) => {
      tellProgress(running, outcomes.slice(told));
      told = outcomes.length;
    },
    signal,
  );
}
