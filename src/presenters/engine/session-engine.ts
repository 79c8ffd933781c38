import type { HistorySearch } from '../../compaction/retrieval/history-search.ts';
import type { CompactionRecords, CompactionWork } from '../../compaction/service/compact.ts';
import type { CustomStrategy } from '../../compaction/strategies/contract/custom-strategy.ts';
import { isStrategyId, strategyOf } from '../../compaction/strategies/index.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import type { HeldView, TokenBreakdown } from '../../insights/token-breakdown.ts';
import type { LedgerReader } from '../inspector/ledger-feed.ts';
import type { TriedSession } from '../inspector/what-if-host.ts';
import type { TellProgress, Trial } from '../inspector/what-if-trial.ts';
import type { EngineChannel, EngineMoment } from './engine-calls.ts';
import type { EngineClient } from './engine-client.ts';

export class SessionEngine {
  private readonly engine: EngineClient;
  private readonly id: string;

  constructor(engine: EngineClient, id: string) {
    this.engine = engine;
    this.id = id;
  }

  ledger(meter: UsageMeter): LedgerReader {
    return {
      facts: ({ transcript }, filter, from) =>
        this.on(transcript, meter, (channel, at) => channel.call('facts', [at, filter, from])),
      prepareSearch: ({ transcript }) =>
        this.on(transcript, meter, (channel, at) => channel.call('prepareSearch', [at])),
      search: ({ transcript }, _meter, query, most) =>
        this.on(transcript, meter, (channel, at) => channel.call('search', [at, query, most])),
    };
  }

  /** Returns a search over the messages that are no longer in context. */
  searchHistory(meter: () => UsageMeter): HistorySearch {
    return (transcript, query, most) =>
      this.on(transcript, meter(), (channel, at) => channel.call('searchHistory', [at, query, most]));
  }

  breakDown(
    transcript: Transcript,
    meter: UsageMeter,
    held: Pick<HeldView, 'tools' | 'protectFirst'>,
    most: number,
  ): Promise<TokenBreakdown> {
    return this.on(transcript, meter, (channel, at) => channel.call('breakDown', [at, held, most]));
  }

  /** Plans a compaction on the engine. Returns undefined if the strategy's code exists only on this thread. */
  compact(work: CompactionWork): Promise<CompactionRecords> | undefined {
    const { id } = work.request.strategy;
    if (!isStrategyId(id) || id === 'custom' || strategyOf(id) !== work.request.strategy) return undefined;
    return import('./engine-tasks.ts').then(({ compactOn }) =>
      compactOn(this.engine, this.id, { ...work, strategy: id }),
    );
  }

  /** Tries strategies on the engine; a custom strategy runs in its usual place. @throws {CancelledError} if aborted */
  async tryStrategies(
    { transcript, meter }: Pick<TriedSession, 'transcript' | 'meter'>,
    trial: Trial,
    customStrategy: (() => Promise<CustomStrategy>) | undefined,
    tellProgress: TellProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const { tryOn } = await import('./engine-tasks.ts');
    await tryOn(
      this.engine,
      { id: this.id, transcript, meter },
      { trial, customStrategy, tellProgress, signal },
    );
  }

  private on<T>(
    transcript: Pick<Transcript, 'entries'>,
    meter: UsageMeter,
    work: (channel: EngineChannel, at: EngineMoment) => Promise<T>,
  ): Promise<T> {
    return this.engine.on(this.id, transcript, meter, work);
  }
}
