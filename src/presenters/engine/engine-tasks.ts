import type { Message } from '../../compaction/messages/message.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import type { CompactionRecords, CompactionWork } from '../../compaction/service/compact.ts';
import {
  type CancellationSignal,
  throwIfCancelled,
  whenCancelled,
} from '../../compaction/signals/cancellation.ts';
import type { CustomStrategy } from '../../compaction/strategies/contract/custom-strategy.ts';
import type { StrategyId } from '../../compaction/strategies/index.ts';
import type { SummaryModel, SummaryRequest } from '../../compaction/summary/summary-model.ts';
import type { TellProgress, Trial } from '../inspector/what-if-trial.ts';
import type { TriedSession } from '../inspector/what-if-host.ts';
import type { EngineChannel, ModelTraits, TrialHost } from './engine-calls.ts';
import type { EngineClient } from './engine-client.ts';

/** Maximum number of records of a compaction: one of the strategy and one of the last resort. */
const mostRecords = 2;

/** Plans a compaction on the engine. Its model, files and spending account stay on this thread. */
export async function compactOn(
  engine: EngineClient,
  session: string,
  {
    request,
    strategy,
    transcript,
    ports,
    allowance,
    signal,
  }: CompactionWork & { readonly strategy: StrategyId },
): Promise<CompactionRecords> {
  const { view, history: _history, pins: _pins, strategy: _strategy, ...data } = request;
  const outputs: Message[][] = [];
  const model = (name: string) => ports.model(name === '' ? undefined : name);
  const asked = (name: string): SummaryModel => {
    const found = model(name);
    if (found === undefined) throw new Error(`There is no model ${name}.`);
    return found;
  };
  const ids = Array.from({ length: mostRecords }, () => ports.nextRecordId());
  const named = request.options['model'];
  const names = ['', ...(typeof named === 'string' && named !== '' ? [named] : [])];
  const models = Object.fromEntries(
    names.flatMap((name) => {
      const found = model(name);
      return found === undefined ? [] : [[name, traitsOf(found)]];
    }),
  );
  const readsFiles = ports.readFile !== undefined;
  const host = {
    phase: ports.tell ?? (() => {}),
    summarise: (name: string, asks: SummaryRequest, continuesView: boolean) =>
      asked(name).summarise(
        continuesView ? { ...asks, continues: { view, tools: request.tools } } : asks,
        signal,
      ),
    compactNatively: (name: string, messages: readonly Message[]) => {
      const compacting = asked(name).compactNatively?.(messages, signal);
      if (compacting === undefined) throw new Error('The provider does not compact.');
      return compacting;
    },
    readFile: async (path: string) => ports.readFile?.(path, signal),
    spent: allowance.spent,
    outputs: (record: number, some: readonly Message[]) => void (outputs[record] ??= []).push(...some),
  };
  return engine.task(host, (task) =>
    engine.on(session, transcript, ports.meter, async (channel, at) => {
      outputs.length = 0;
      const left = allowance.left();
      const run = { ...data, strategy, ids, models, left, readsFiles };
      const compacting = channel.call('compact', [at, task, run]);
      const [first, ...others] = await stoppedBy(signal, channel, task, compacting);
      const whole = (record: CompactionRecord, index: number) => ({
        ...record,
        outputs: outputs[index] ?? [],
      });
      return [whole(first, 0), ...others.map((record, index) => whole(record, index + 1))] as const;
    }),
  );
}

/** A trial of strategies, and the listener for its progress. */
export interface Trying {
  readonly trial: Trial;
  /** Loads the strategy that the settings name for `custom`; undefined if they name none. */
  readonly customStrategy: (() => Promise<CustomStrategy>) | undefined;
  readonly tellProgress: TellProgress;
  readonly signal: AbortSignal;
}

/** Tries strategies on the engine. @throws {CancelledError} if the signal was aborted */
export async function tryOn(
  engine: EngineClient,
  { id, transcript, meter }: TriedSession,
  { trial, customStrategy, tellProgress, signal }: Trying,
): Promise<void> {
  throwIfCancelled(signal);
  let found: CustomStrategy | undefined;
  let custom: { readonly channel: EngineChannel; readonly task: number } | undefined;
  let left = trial.candidates;
  const host = {
    progress: (...[running, done]: Parameters<TellProgress>) => {
      left = left.slice(done.length);
      tellProgress(running, done);
    },
    find: async () => {
      found = await customStrategy?.();
      return found?.name;
    },
    plan: (...[input, originals, model]: PlanGiven) => {
      if (custom === undefined) throw new Error('Nothing is tried.');
      const { channel, task } = custom;
      return found?.plan(
        input,
        {
          originals,
          meter: { count: (texts) => channel.call('countFor', [task, texts]) },
          model: model && {
            ...model,
            summarise: (ids, focus) => channel.call('summariseFor', [task, ids, focus]),
            prompt: (prompt) => channel.call('promptFor', [task, prompt]),
          },
        },
        signal,
      );
    },
  };
  await engine.task(host, (task) =>
    engine.on(id, transcript, meter, async (channel, at) => {
      custom = { channel, task };
      // If the thread died, only the candidates that have no outcome yet are tried.
      const rest = { ...trial, candidates: left };
      const trying = channel.call('tryStrategies', [at, task, rest], { signal });
      await stoppedBy(signal, channel, task, trying);
    }),
  );
}

/** Waits for a task, and stops it when the signal is aborted. */
export async function stoppedBy<T>(
  signal: CancellationSignal,
  channel: EngineChannel,
  task: number,
  work: Promise<T>,
): Promise<T> {
  const unfollow = whenCancelled(signal, () => void channel.call('stop', [task]).catch(() => {}));
  try {
    return await work;
  } finally {
    unfollow();
  }
}

type PlanGiven = Parameters<TrialHost['plan']>;

function traitsOf(model: SummaryModel): ModelTraits {
  return {
    id: model.id,
    window: model.window,
    // Of our models, only the offline model reads messages instead of a prompt.
    isOffline: model.readsSources === true,
    continuesRequests: model.continuesRequests === true,
    compactsNatively: model.compactNatively !== undefined,
  };
}
