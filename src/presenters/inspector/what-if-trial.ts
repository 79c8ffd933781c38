import { setImmediate as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { OfflineModel } from '../../agent/offline/offline-model.ts';
import type { Budget } from '../../compaction/budget/budget.ts';
import { type CancellationSignal, throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import type { Message, ToolSchema } from '../../compaction/messages/message.ts';
import type {
  CustomInput,
  CustomModel,
  CustomPrompt,
  CustomStrategy,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import { type StrategyId, strategyOf } from '../../compaction/strategies/index.ts';
import type { EncodingName } from '../../compaction/tokens/token-counter.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import { type Outcome, whatIf } from '../../insights/what-if.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { channelToThread, type WorkerChannel } from '../../agent/worker-channel.ts';
import { hostSentences } from '../../language/host-english.ts';
import type { ImageRule } from '../../compaction/images/image-tokens.ts';

/** Strategies to try on a transcript, as plain data, so that another thread can do it. */
export interface Trial {
  readonly candidates: readonly TrialCandidate[];
  readonly tools: readonly ToolSchema[];
  readonly budget: Budget;
  readonly protectFirst: boolean;
  readonly focus: string | undefined;
  /** True if the offline model replaces the model that would write summaries. */
  readonly hasStandInModel: boolean;
  /** The encoding that counts tokens. */
  readonly encoding: EncodingName;
  /** The model's rule for images. */
  readonly imageRule: ImageRule;
  /** Prefix of the ids of the records. */
  readonly recordPrefix: string;
}

export interface TrialCandidate {
  readonly strategy: StrategyId;
  /** Checked against the strategy's schema. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Reports progress while strategies are tried: the running one, and those done since. */
export type TellProgress = (running: string | undefined, done: readonly Outcome[]) => void;

export interface TrialPorts {
  readonly meter: UsageMeter;
  /** The strategy behind `custom`; not given if none is named. */
  readonly customStrategy?: (() => Promise<CustomStrategy>) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Tries strategies on this thread. No provider is asked: the offline model writes what summaries there are. */
export async function tryStrategies(
  trial: Trial,
  transcript: Pick<Transcript, 'entries' | 'view' | 'pins'>,
  { meter, customStrategy, now }: TrialPorts,
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
      ...(customStrategy === undefined ? {} : { customStrategy }),
    },
    ({ running, outcomes }) => {
      tellProgress(running, outcomes.slice(told));
      told = outcomes.length;
    },
    signal,
  );
}

/** Functions of the thread that tries strategies. */
export interface WhatIfThread {
  /** Adds entries to the transcript. */
  entries(some: readonly TranscriptEntry[]): void;
  run(trial: Trial): Promise<void>;
  /** Ports of the custom strategy that is planning. */
  count(texts: readonly string[]): Promise<readonly number[]>;
  summarise(ids: readonly string[], focus?: string): Promise<string>;
  prompt(prompt: CustomPrompt): Promise<string>;
}

/** Functions of the editor that the thread calls. */
export interface WhatIfEditor {
  progress: TellProgress;
  /** Finds the custom strategy. @returns its name */
  find(): Promise<string | undefined>;
  plan(
    input: CustomInput,
    originals: readonly Message[],
    model: Pick<CustomModel, 'id' | 'window'> | undefined,
  ): unknown;
}

/** Entries that are copied to the thread before other work of the host has its turn. */
const entriesAtOnce = 100;

/**
 * Tries strategies on a thread of its own, which ends with the last of them or with the signal. Only a third-party
 * strategy is run where its host always runs it.
 *
 * @param script absolute path of the bundled `what-if-worker.js`
 * @param customStrategy the strategy behind `custom`; undefined if none is named
 * @throws {CancelledError} if the signal was aborted
 * @throws {Error} if the thread failed
 */
export async function tryOnThread(
  script: string,
  trial: Trial,
  { entries }: Pick<Transcript, 'entries'>,
  customStrategy: (() => Promise<CustomStrategy>) | undefined,
  tellProgress: TellProgress,
  signal: AbortSignal,
): Promise<void> {
  throwIfCancelled(signal);
  const worker = new Worker(script);
  const found: { strategy: CustomStrategy | undefined } = { strategy: undefined };
  const channel: WorkerChannel<WhatIfThread, WhatIfEditor> = channelToThread<WhatIfThread, WhatIfEditor>(
    worker,
    {
      progress: tellProgress,
      find: async () => {
        found.strategy = await customStrategy?.();
        return found.strategy?.name;
      },
      plan: (input, originals, model) =>
        found.strategy?.plan(
          input,
          {
            originals,
            meter: { count: (texts) => channel.call('count', [texts]) },
            model: model && {
              ...model,
              summarise: (ids, focus) => channel.call('summarise', [ids, focus]),
              prompt: (prompt) => channel.call('prompt', [prompt]),
            },
          },
          signal,
        ),
    },
    hostSentences.say('tryingEnded'),
  );
  try {
    for (let start = 0; start < entries.length; start += entriesAtOnce) {
      await channel.call('entries', [entries.slice(start, start + entriesAtOnce)], { signal });
      await pause();
    }
    await channel.call('run', [trial], { signal });
  } finally {
    void worker.terminate();
  }
}
