import { phraseOf, reasonOf } from './reason.ts';
import type { CompactionRecord, Reason, RecordStatus, Tier, Trigger } from './record.ts';

/**
 * Progress of a compaction, reported as it happens. Every `-start` has its `-end`. Tiers may be nested (the rungs of
 * the ladder); the record lists them in the order in which they end.
 *
 * - `before`: before the first step.
 * - `summary-start`, `summary-end`: one request to a model, for a summary, for facts, or for a prompt of a strategy.
 * - `rollback`: the plan is discarded and the view stays unchanged.
 * - `done`: the compaction is over, and its records are in the transcript.
 */
export type CompactionPhase =
  | { readonly phase: 'before'; readonly strategy: string }
  | PlanningPhase
  | { readonly phase: 'rollback'; readonly strategy: string; readonly reason: Reason }
  | {
      readonly phase: 'done';
      /** The strategy that made the view, or the last strategy tried. */
      readonly strategy: string;
      readonly status: RecordStatus;
      readonly reason?: Reason;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly durationMs: number;
    };

export type PlanningPhase =
  | { readonly phase: 'tier-start'; readonly strategy: string }
  | ({ readonly phase: 'tier-end' } & Tier)
  | { readonly phase: 'summary-start'; readonly model: string }
  | {
      readonly phase: 'summary-end';
      readonly model: string;
      /** `replied` does not mean that the reply is usable. */
      readonly outcome: 'replied' | 'failed' | 'cancelled';
      readonly promptTokens?: number;
      readonly outputTokens?: number;
    };

export type PhaseListener = (phase: CompactionPhase) => void;

/** Reports the phases of one compaction, and ends inner tiers together with the outer tier. */
export class PhaseTeller {
  private readonly listener: PhaseListener;
  private readonly trigger: Trigger;
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

  async planning<Planned>(records: Promise<Planned>): Promise<Planned> {
    try {
      return await records;
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  /** Reports the end. The `written` records differ from the `planned` ones if the view had changed. */
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
