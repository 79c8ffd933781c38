import { OfflineModel } from '../../agent/offline/offline-model.ts';
import type { Budget } from '../../compaction/budget/budget.ts';
import type { ModelFacts } from '../../compaction/budget/model-facts.ts';
import { messageOf } from '../../compaction/failure.ts';
import type { ToolSchema } from '../../compaction/message.ts';
import type { OutsideStrategy } from '../../compaction/outside/outside-strategy.ts';
import { isStillBase } from '../../compaction/stale-record.ts';
import { catalogue } from '../../compaction/strategies/index.ts';
import type { Strategy } from '../../compaction/strategies/strategy.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { Transcript } from '../../compaction/transcript.ts';
import { moneyOfCost } from '../../insights/money.ts';
import { applicable, whatIf, type Outcome, type WhatIfPorts } from '../../insights/what-if.ts';
import {
  byMissingKind,
  previewId,
  type WhatIfNotification,
  type WhatIfRequest,
  type WhatIfRow,
  type WhatIfView,
} from '../protocol/inspector-what-if.ts';
import { recordView, type InspectorModel } from './inspector-model.ts';
import { missingNames } from './missing-facts.ts';
import { pause } from './pause.ts';
import type { RecordSession } from './record-actions.ts';

/** What strategies are tried on. */
export interface WhatIfSubject {
  readonly sessionId: string;
  readonly inspector: InspectorModel;
  readonly meter: UsageMeter;
  readonly transcript: Transcript;
  readonly tools: readonly ToolSchema[];
  readonly budget: Budget;
  /** Label of the model that summaries would be asked of. */
  readonly model: string;
  /** Undefined where what is shown can only be looked at. */
  readonly session: Pick<RecordSession, 'applyRecord'> | undefined;
}

/** What settings and the editor have to do with it. */
export interface WhatIfHostPorts {
  readonly settings: () => {
    /** The strategy that is chosen. */
    readonly current: string;
    readonly protectFirst: boolean;
    readonly focus: string;
    /** Options of any strategy, checked. */
    readonly optionsOf: (strategy: string) => Readonly<Record<string, unknown>>;
    /** What is known of a model; its price for the columns with money. */
    readonly factsOf: (model: string) => ModelFacts;
  };
  /** What `custom` stands for; undefined where nothing is named, and it is not tried. */
  readonly outside: () => (() => Promise<OutsideStrategy>) | undefined;
  /** Writes the strategy into the settings of the workspace. */
  readonly useStrategy: (strategy: string) => Promise<void>;
  /** A sentence that a person should read. */
  readonly tell: (sentence: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** One trial of all strategies. */
interface Run {
  readonly subject: WhatIfSubject;
  readonly stop: AbortController;
  readonly startedAt: number;
  readonly total: number;
  phase: 'running' | 'done' | 'cancelled' | 'failed';
  running: string | undefined;
  problem: string | undefined;
  endedAt: number | undefined;
  outcomes: readonly Outcome[];
}

const staleSentence = 'The conversation went on since. Run the comparison again to apply this.';

/** Tries all strategies on what is shown, one after the other, and applies what a person chooses. */
export class WhatIfHost {
  private readonly post: (notification: WhatIfNotification) => void;
  private readonly ports: WhatIfHostPorts;
  private run: Run | undefined;

  constructor(post: (notification: WhatIfNotification) => void, ports: WhatIfHostPorts) {
    this.post = post;
    this.ports = ports;
  }

  async handle(request: WhatIfRequest, subject: WhatIfSubject): Promise<void> {
    switch (request.type) {
      case 'what-if-show':
        this.tell(subject);
        return;
      case 'what-if-run':
        return this.start(subject);
      case 'what-if-cancel':
        this.run?.stop.abort();
        return;
      case 'what-if-use':
        if (!Object.hasOwn(catalogue, request.strategy)) return;
        await this.ports.useStrategy(request.strategy);
        this.tell(subject);
        return;
      default: {
        const outcome = this.outcomeOf(request.strategy, subject);
        if (outcome !== undefined) await this.answer(request, outcome, subject);
      }
    }
  }

  /** Ends what is running, when nobody looks any more. */
  stop(): void {
    this.run?.stop.abort();
  }

  private async answer(
    { type, strategy }: Extract<WhatIfRequest, { strategy: string }>,
    outcome: Outcome,
    subject: WhatIfSubject,
  ): Promise<void> {
    const { sessionId, inspector } = subject;
    const base = this.run?.subject.transcript ?? subject.transcript;
    const record = { ...outcome.record, id: previewId(strategy) };
    switch (type) {
      case 'what-if-lost': {
        const lost = missingNames({ record, before: base.view });
        this.post({ type, sessionId, strategy, lost });
        return;
      }
      case 'what-if-preview':
        await inspector.preview(record, base.view);
        this.post({ type, sessionId, record: recordView(record, false, []) });
        return;
      case 'what-if-apply':
        return this.apply(outcome, subject);
    }
  }

  private async apply(outcome: Outcome, subject: WhatIfSubject): Promise<void> {
    const { run } = this;
    if (run === undefined || subject.session === undefined) return;
    if (isStale(run, subject)) {
      this.ports.tell(staleSentence);
      this.tell(subject);
      return;
    }
    const base = run.subject.transcript;
    const record = applicable(outcome, base, subject.transcript);
    if (record === undefined) return;
    const { status } = await subject.session.applyRecord(record, base);
    if (status !== 'applied') this.ports.tell(staleSentence);
  }

  private async start(subject: WhatIfSubject): Promise<void> {
    this.run?.stop.abort();
    const outside = this.ports.outside();
    const strategies: readonly Strategy[] = Object.values(catalogue);
    const tried = strategies.filter(({ id }) => id !== 'custom' || outside !== undefined);
    const run: Run = {
      subject,
      stop: new AbortController(),
      startedAt: this.ports.now(),
      total: tried.length,
      phase: 'running',
      running: undefined,
      problem: undefined,
      endedAt: undefined,
      outcomes: [],
    };
    this.run = run;
    try {
      await this.tryAll(run, tried, outside);
      run.phase = run.stop.signal.aborted ? 'cancelled' : 'done';
    } catch (error) {
      run.phase = run.stop.signal.aborted ? 'cancelled' : 'failed';
      run.problem = messageOf(error);
    }
    run.running = undefined;
    run.endedAt = this.ports.now();
    if (this.run === run) this.tell(subject);
  }

  private async tryAll(
    run: Run,
    strategies: readonly Strategy[],
    outside: (() => Promise<OutsideStrategy>) | undefined,
  ): Promise<void> {
    const { transcript, tools, budget, meter, model } = run.subject;
    const { protectFirst, focus, optionsOf } = this.ports.settings();
    const standIn = new OfflineModel({ window: budget.window });
    let records = 0;
    const ports: WhatIfPorts = {
      meter,
      model: () => standIn,
      clock: { now: this.ports.now },
      // What is applied stays in the transcript, and the next comparison must not use its ids again.
      nextRecordId: () => `t${run.startedAt.toString(36)}-${++records}`,
      hasStandInModels: model !== standIn.label,
      pause,
      ...(outside === undefined ? {} : { outside }),
    };
    const candidates = strategies.map((strategy) => ({ strategy, options: optionsOf(strategy.id) }));
    await whatIf(
      { transcript, tools, budget, protectFirst, focus: focus || undefined, candidates },
      ports,
      ({ running, outcomes }) => {
        run.running = running;
        run.outcomes = outcomes;
        if (this.run === run) this.tell(run.subject);
      },
      run.stop.signal,
    );
  }

  private outcomeOf(strategy: string, { sessionId }: WhatIfSubject): Outcome | undefined {
    if (this.run?.subject.sessionId !== sessionId) return undefined;
    return this.run.outcomes.find((outcome) => outcome.strategy === strategy);
  }

  private tell(subject: WhatIfSubject): void {
    const { sessionId } = subject;
    this.post({ type: 'what-if', sessionId, view: this.viewFor(subject) });
  }

  private viewFor(subject: WhatIfSubject): WhatIfView {
    const { current, factsOf } = this.ports.settings();
    const run = this.run?.subject.sessionId === subject.sessionId ? this.run : undefined;
    if (run === undefined) {
      return { phase: 'idle', isStale: false, total: 0, durationMs: 0, tokensBefore: 0, current, rows: [] };
    }
    const { phase, total, running, problem, outcomes } = run;
    const facts = factsOf(subject.model);
    return {
      phase,
      isStale: isStale(run, subject),
      total,
      running,
      problem,
      durationMs: (run.endedAt ?? this.ports.now()) - run.startedAt,
      tokensBefore: outcomes[0]?.record.before.tokens ?? 0,
      current,
      rows: outcomes.map((outcome) => rowOf(outcome, facts)),
    };
  }
}

/** Sizes and costs are those of the view that there was; anything more or less makes them wrong. */
function isStale({ subject: { transcript: base } }: Run, { transcript: now }: WhatIfSubject): boolean {
  const hasSamePins = base.pins.size === now.pins.size && [...base.pins].every((id) => now.pins.has(id));
  return base.view.length !== now.view.length || !isStillBase(base, now) || !hasSamePins;
}

function rowOf({ strategy, record, modelCalls, isEstimate }: Outcome, model: ModelFacts): WhatIfRow {
  const { status, reason, after, cost, coverage, durationMs } = record;
  return {
    strategy,
    status,
    reason: reason?.message,
    tokensAfter: after.tokens,
    savedPerCall: cost.savedPerCall,
    cacheMissTokens: cost.cacheMissTokens,
    breakEvenCalls: cost.breakEvenCalls,
    coverage: byMissingKind((kind) => ({ kept: coverage[kind].kept, total: coverage[kind].total })),
    modelCalls,
    isEstimate,
    durationMs,
    money: status === 'applied' ? moneyOfCost(cost, model) : undefined,
  };
}
