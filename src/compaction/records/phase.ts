import { phraseOf, reasonOf } from './reason.ts';
import type { CompactionRecord, Reason, RecordStatus, Tier, Trigger } from './record.ts';

/**
 * The progress of a compaction, told as it happens. Every `-start` has its `-end`. A tier may have tiers of its own
 * within it (the rungs of the ladder), which are in the record in the order in which they end.
 *
 * - `before`: nothing has been looked at yet; the view is what it is.
 * - `summary-start`, `summary-end`: one request to a model, for a summary, for facts, or a strategy's own.
 * - `rollback`: what was planned is thrown away, and the view stays as it was.
 * - `done`: the compaction is over, and its records are in the transcript.
 */
export type CompactionPhase =
  | { readonly phase: 'before'; readonly strategy: string }
  | PlanningPhase
  | { readonly phase: 'rollback'; readonly strategy: string; readonly reason: Reason }
  | {
      readonly phase: 'done';
      /** The strategy that made the view, or tried last. */
      readonly strategy: string;
      readonly status: RecordStatus;
      readonly reason?: Reason;
      /** Size of the next request, in tokens. */
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly durationMs: number;
    };

/** The phases that a strategy itself goes through. */
export type PlanningPhase =
  | { readonly phase: 'tier-start'; readonly strategy: string }
  | ({ readonly phase: 'tier-end' } & Tier)
  | { readonly phase: 'summary-start'; readonly model: string }
  | {
      readonly phase: 'summary-end';
      readonly model: string;
      /** `replied` says nothing of whether the reply can be used. */
      readonly outcome: 'replied' | 'failed' | 'cancelled';
      /** As the provider reported them, in tokens. */
      readonly promptTokens?: number;
      readonly outputTokens?: number;
    };

/** Hears what a compaction does. */
export type PhaseListener = (phase: CompactionPhase) => void;

/** Tells the phases of one compaction, and ends the tiers that an outer one broke off with it. */
export class PhaseTeller {
  private readonly listener: PhaseListener;
  private readonly trigger: Trigger;
  /** Tiers that have begun and not ended, innermost last. */
  private readonly open: string[] = [];
  private strategy = '';

  constructor(listener: PhaseListener, trigger: Trigger) {
    this.listener = listener;
    this.trigger = trigger;
  }

  readonly tell = (phase: CompactionPhase): void => {
    if (phase.phase === 'before') this.strategy = phase.strategy;
    if (phase.phase === 'tier-start') this.open.push(phase.strategy);
    if (phase.phase === 'tier-end') {
      for (let inner = this.open.pop(); inner !== undefined && inner !== phase.strategy;) {
        this.listener({ ...phase, strategy: inner });
        inner = this.open.pop();
      }
    }
    this.listener(phase);
  };

  /** Waits for what is planned. If that throws, the compaction is over with it. */
  async planning<Planned>(records: Promise<Planned>): Promise<Planned> {
    try {
      return await records;
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  /**
   * @param planned the records as they were planned
   * @param written what became of them: the same if the view was still the one they were planned on
   */
  done(planned: readonly CompactionRecord[], written: readonly CompactionRecord[]): void {
    const last = written.at(-1);
    if (last === undefined) return;
    const { actualStrategy: strategy, status, reason, before, after, durationMs } = last;
    if (planned.at(-1)?.status === 'applied' && status !== 'applied' && reason !== undefined) {
      this.tell({ phase: 'rollback', strategy, reason });
    }
    this.tell({
      phase: 'done',
      strategy,
      status,
      ...(reason === undefined ? {} : { reason }),
      tokensBefore: before.tokens,
      tokensAfter: status === 'applied' ? after.tokens : before.tokens,
      durationMs,
    });
  }

  /** It was thrown away. It is over when it has ended. */
  discarded(records: Promise<readonly CompactionRecord[]>, reason: Reason): void {
    void records.then(
      (planned) =>
        this.done(
          planned,
          planned.map((record) => ({ ...record, status: 'cancelled', reason })),
        ),
      (error: unknown) => this.fail(error),
    );
  }

  private fail(error: unknown): void {
    const { strategy } = this;
    const { tokens } = this.trigger;
    this.tell({
      phase: 'done',
      strategy,
      status: 'failed',
      reason: reasonOf('strategy-failed', phraseOf(error)),
      tokensBefore: tokens,
      tokensAfter: tokens,
      durationMs: 0,
    });
  }
}
