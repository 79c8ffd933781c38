import { setImmediate as pause } from 'node:timers/promises';
import { OfflineModel } from '../../agent/offline/offline-model.ts';
import type { Budget } from '../../compaction/budget/budget.ts';
import type { ToolSchema } from '../../compaction/messages/message.ts';
import type { CancellationSignal } from '../../compaction/signals/cancellation.ts';
import { type StrategyId, strategyOf } from '../../compaction/strategies/index.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import { type StrategyOutcome, whatIf } from '../../insights/what-if.ts';
import type { CompactionPorts } from '../../compaction/service/compact.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';

/** Strategies to try on a transcript, as plain data for another thread. */
export interface Trial {
  /** Strategies with options that were checked against their schemas. */
  readonly candidates: readonly {
    readonly strategy: StrategyId;
    readonly options: Readonly<Record<string, unknown>>;
  }[];
  readonly tools: readonly ToolSchema[];
  readonly budget: Budget;
  readonly protectFirst: boolean;
  readonly focus: string | undefined;
  /** Absolute folder to which file names are relative, if the records of the transcript do not state it. */
  readonly folder?: string | undefined;
  /** True if the offline model stands in for the model that would write summaries. */
  readonly hasStandInModel: boolean;
  readonly recordPrefix: string;
}

/** Reports progress while strategies are tried: the running strategy, and outcomes since the last report. */
export type TellProgress = (running: string | undefined, done: readonly StrategyOutcome[]) => void;

/** Tries strategies on this thread. No provider is called, because the offline model writes the summaries. */
export async function tryStrategies(
  trial: Trial,
  transcript: Pick<Transcript, 'entries' | 'view' | 'pins'>,
  {
    meter,
    customStrategy,
    now,
  }: {
    readonly meter: UsageMeter;
    readonly customStrategy?: CompactionPorts['customStrategy'] | undefined;
    readonly now: () => number;
  },
  tellProgress: TellProgress,
  signal: CancellationSignal,
): Promise<void> {
  const { candidates, tools, budget, protectFirst, focus, folder, hasStandInModel, recordPrefix } = trial;
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
      folder,
      candidates: candidates.map(({ strategy, options }) => ({ strategy: strategyOf(strategy), options })),
    },
    {
      meter,
      model: () => standIn,
      clock: { now },
      nextRecordId: () => `${recordPrefix}-${++records}`,
      hasStandInModels: hasStandInModel,
      pause,
      ...(customStrategy === undefined ? {} : { customStrategy }),
    },
    ({ running, outcomes }) => {
      tellProgress(running, outcomes.slice(told));
      told = outcomes.length;
    },
    signal,
  );
}
