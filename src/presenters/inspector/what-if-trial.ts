import { hostSentences } from '../../language/host-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { setImmediate as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { OfflineModel } from '../../agent/offline/offline-model.ts';
import type { Budget } from '../../compaction/budget/budget.ts';
import {
  type CancellationSignal,
  CancelledError,
  throwIfCancelled,
  whenCancelled,
} from '../../compaction/signals/cancellation.ts';
import { CompactionFailure, messageOf } from '../../compaction/records/reason.ts';
import type { Message, ToolSchema } from '../../compaction/messages/message.ts';
import type { ReasonCode } from '../../compaction/records/record.ts';
import type {
  CustomInput,
  CustomModel,
  CustomStrategy,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import { type StrategyId, strategyOf } from '../../compaction/strategies/index.ts';
import type { EncodingName } from '../../compaction/tokens/token-counter.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import { type Outcome, whatIf } from '../../insights/what-if.ts';
import { PendingCalls } from '../../agent/pending-calls.ts';

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
  const channel: WhatIfChannel = new WhatIfChannel((message) => worker.postMessage(message), {
    progress: tellProgress,
    find: async () => {
      found.strategy = await customStrategy?.();
      return found.strategy?.name;
    },
    plan: (
      input: CustomInput,
      originals: readonly Message[],
      model: Pick<CustomModel, 'id' | 'window'> | undefined,
    ) =>
      found.strategy?.plan(
        input,
        {
          originals,
          meter: { count: (texts) => channel.call('count', texts) as Promise<readonly number[]> },
          model: model && {
            ...model,
            summarise: (ids, focus) => channel.call('summarise', ids, focus) as Promise<string>,
            prompt: (prompt) => channel.call('prompt', prompt) as Promise<string>,
          },
        },
        signal,
      ),
  });
  worker.on('message', (message: ChannelMessage) => void channel.receive(message));
  worker.on('error', (error: Error) => channel.fail(error));
  worker.on('exit', () => channel.fail(new SentenceError(hostSentences.say('tryingEnded'))));
  const stopListening = whenCancelled(signal, () => channel.fail(new CancelledError()));
  try {
    for (let start = 0; start < entries.length; start += entriesAtOnce) {
      await channel.call('entries', entries.slice(start, start + entriesAtOnce));
      await pause();
    }
    await channel.call('run', trial);
  } finally {
    stopListening();
    void worker.terminate();
  }
}

/** Message from one thread to the other: a call, or its outcome. All of it is plain data. */
export type ChannelMessage =
  | { readonly id: number; readonly call: string; readonly parameters: readonly unknown[] }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: ChannelError };

interface ChannelError {
  /** Reason that a strategy gave no plan, if that is what went wrong. */
  readonly code: ReasonCode | undefined;
  readonly message: string;
}

/** Functions that the other side can call. */
export type Handlers = Readonly<Record<string, (...parameters: never) => unknown>>;

/** Calls between two threads, in both directions. Both ends are our code, so parameters are not validated. */
export class WhatIfChannel {
  private readonly send: (message: ChannelMessage) => void;
  private readonly handlers: Handlers;
  private readonly calls = new PendingCalls();
  private failure: Error | undefined;

  constructor(send: (message: ChannelMessage) => void, handlers: Handlers) {
    this.send = send;
    this.handlers = handlers;
  }

  /** @throws {CompactionFailure} or {Error}, as what was called did */
  call(name: string, ...parameters: readonly unknown[]): Promise<unknown> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return this.calls.begin((id) => this.send({ id, call: name, parameters }));
  }

  async receive(message: ChannelMessage): Promise<void> {
    if ('call' in message) return this.answer(message.id, message.call, message.parameters);
    if ('value' in message) this.calls.settle(message);
    else this.calls.reject(message.id, errorOf(message.error));
  }

  /** Tells everyone who waits, or calls from now on, that there will be no answer. */
  fail(error: Error): void {
    this.failure ??= error;
    this.calls.rejectAll(error);
  }

  private async answer(id: number, name: string, parameters: readonly unknown[]): Promise<void> {
    try {
      const handler = this.handlers[name] as ((...given: readonly unknown[]) => unknown) | undefined;
      // A value that is not plain data cannot be sent, and counts as a failure of the call.
      this.send({ id, value: await handler?.(...parameters) });
    } catch (error) {
      const code = error instanceof CompactionFailure ? error.code : undefined;
      this.send({ id, error: { code, message: messageOf(error) } });
    }
  }
}

function errorOf({ code, message }: ChannelError): Error {
  return code === undefined ? new Error(message) : new CompactionFailure(code, message);
}
