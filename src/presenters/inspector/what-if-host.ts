import type { Budget } from '../../compaction/budget/budget.ts';
import type { ToolSchema } from '../../compaction/messages/message.ts';
import type { CustomStrategy } from '../../compaction/strategies/contract/custom-strategy.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import {
  isStillBase,
  recordsOf,
  type Transcript,
  transcriptBefore,
} from '../../compaction/transcript/transcript.ts';
import { recordsInForce } from '../../compaction/transcript/view.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { isStrategyId, strategyIds, strategyOf, type StrategyId } from '../../compaction/strategies/index.ts';
import { applicable, type Outcome } from '../../insights/what-if.ts';
import type { ModelChoice } from '../models/model-choice.ts';
import {
  previewId,
  type WhatIfNotification,
  type WhatIfRequest,
  type whatIfRequests,
  type WhatIfView,
} from '../../protocol/inspector-what-if.ts';
import { dispatch, type Handlers } from '../../protocol/messages.ts';
import { recordView, type InspectorModel } from './inspector-model.ts';
import { missingNames } from './record-diff.ts';
import type { RecordSession } from './record-actions.ts';
import type { TellProgress, Trial } from './what-if-trial.ts';
import { hostSentences } from '../../language/host-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { titleInRecord } from '../../compaction/records/own-title.ts';
import type { Wording } from '../../language/wording.ts';
import { reasonOf } from './compactions-host.ts';
import { isEstimateFor, momentOf, rowOf, rowOfRecord } from './what-if-rows.ts';

/** Subject that strategies are tried on. */
export interface WhatIfSubject {
  readonly sessionId: string;
  readonly inspector: InspectorModel;
  readonly transcript: Transcript;
  readonly tools: readonly ToolSchema[];
  readonly budget: Budget;
  /** The model that would be asked for summaries, and whose price counts. */
  readonly model: ModelChoice;
  /** Undefined if the shown session is read-only. */
  readonly session: Pick<RecordSession, 'applyRecord' | 'compactNow'> | undefined;
}

/** Settings and editor functions that trying strategies needs. */
export interface WhatIfHostPorts {
  readonly settings: () => {
    /** The strategy that is chosen. */
    readonly current: string;
    readonly protectFirst: boolean;
    readonly focus: string;
    /** Options of any strategy, checked. */
    readonly optionsOf: (strategy: string) => Readonly<Record<string, unknown>>;
  };
  /** The strategy behind `custom`; undefined if none is named, and then it is not tried. */
  readonly customStrategy: () => (() => Promise<CustomStrategy>) | undefined;
  /** Tries strategies until all are done or the signal is aborted; on a thread of their own in the editor. */
  readonly tryAll: (
    trial: Trial,
    subject: TrialSubject,
    customStrategy: (() => Promise<CustomStrategy>) | undefined,
    tellProgress: TellProgress,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Writes the strategy into the settings of the workspace. */
  readonly useStrategy: (strategy: string) => Promise<void>;
  readonly wording: Wording;
  /** Shows a notice. */
  readonly tell: (sentence: Sentence) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A session on which strategies are tried. */
export interface TrialSubject {
  readonly id: string;
  readonly transcript: Transcript;
  readonly meter: UsageMeter;
}

/** A record that a strategy would make, and the view it was tried on. */
interface Tried {
  readonly record: CompactionRecord;
  readonly view: Transcript['view'];
}

/** One trial of all strategies. */
interface Run {
  /** Including the transcript on which the strategies are tried. */
  readonly subject: WhatIfSubject;
  /** Compaction before which they are tried; undefined for the current context. */
  readonly replayed: CompactionRecord | undefined;
  readonly stop: AbortController;
  readonly startedAt: number;
  readonly total: number;
  phase: 'running' | 'done' | 'cancelled' | 'failed';
  running?: string | undefined;
  problem?: string;
  endedAt?: number;
  outcomes: readonly Outcome[];
  /** The strategy of the last outcome that was applied. */
  applied?: string;
  /** The strategy whose summary is being made by the session's own model, to be applied. */
  applying?: string | undefined;
}

const staleSentence = hostSentences.say('comparisonIsStale');

/** Tries all strategies on what is shown, one after the other, and applies what a person chooses. */
export class WhatIfHost {
  private readonly post: (notification: WhatIfNotification) => void;
  private readonly ports: WhatIfHostPorts;
  private run: Run | undefined;
  /** Subject of the last request. */
  private latest: WhatIfSubject | undefined;
  private readonly handlers: Handlers<typeof whatIfRequests, void | Promise<void>, [WhatIfSubject]> = {
    'what-if-show': (_, subject) => this.tell(subject),
    'what-if-run': ({ before }, subject) => this.start(subject, before),
    'what-if-cancel': () => this.run?.stop.abort(),
    'what-if-use': async ({ strategy }, subject) => {
      if (!isStrategyId(strategy)) return;
      await this.ports.useStrategy(strategy);
      this.tell(subject);
    },
    'what-if-lost': ({ type, strategy }, subject) => {
      const tried = this.triedWith(strategy, subject);
      if (tried === undefined) return;
      const { record, view } = tried;
      this.post({
        type,
        sessionId: subject.sessionId,
        strategy,
        lost: missingNames({ record, before: view }),
      });
    },
    'what-if-preview': async ({ type, strategy }, subject) => {
      const tried = this.triedWith(strategy, subject);
      if (tried === undefined) return;
      await subject.inspector.preview(tried.record, tried.view);
      this.post({
        type,
        sessionId: subject.sessionId,
        strategy,
        record: recordView(tried.record, false, [], this.ports.wording),
      });
    },
    'what-if-apply': async ({ strategy }, subject) => {
      const outcome = this.outcomeOf(strategy, subject);
      if (outcome !== undefined) await this.apply(outcome, subject);
    },
  };

  constructor(post: (notification: WhatIfNotification) => void, ports: WhatIfHostPorts) {
    this.post = post;
    this.ports = ports;
  }

  async handle(request: WhatIfRequest, subject: WhatIfSubject): Promise<void> {
    this.latest = subject;
    await dispatch(this.handlers, request, subject);
  }

  /** Ends what is running, when the page is no longer shown. */
  stop(): void {
    this.run?.stop.abort();
  }

  private async apply(outcome: Outcome, subject: WhatIfSubject): Promise<void> {
    const { run } = this;
    if (run === undefined || subject.session === undefined || run.applying !== undefined) return;
    if (isStale(run, subject)) {
      this.ports.tell(staleSentence);
      this.tell(subject);
      return;
    }
    const base = run.subject.transcript;
    const record = applicable(outcome, base, subject.transcript);
    if (record === undefined) return;
    if (isEstimateFor(outcome, subject.model)) return this.applyAnew(run, outcome, subject.session);
    const { status } = await subject.session.applyRecord(record, base);
    if (status === 'applied') run.applied = outcome.strategy;
    else this.ports.tell(staleSentence);
  }

  /** Compacts with the strategy, so that the session's own model writes the summary that was only estimated. */
  private async applyAnew(
    run: Run,
    { strategy, record: { options } }: Outcome,
    session: Pick<RecordSession, 'compactNow'>,
  ): Promise<void> {
    if (!isStrategyId(strategy)) return;
    run.applying = strategy;
    this.tell(this.latest ?? run.subject);
    try {
      const record = await session.compactNow({ strategy: strategyOf(strategy), options });
      const reason = reasonOf(record);
      const title = titleInRecord(strategy, record);
      if (record.status === 'applied') run.applied = strategy;
      else if (reason === undefined)
        this.ports.tell(hostSentences.say('strategyNotApplied', { strategy: title }));
      else this.ports.tell(hostSentences.say('strategyNotAppliedBecause', { strategy: title, reason }));
    } finally {
      run.applying = undefined;
      this.tell(this.latest ?? run.subject);
    }
  }

  private async start(subject: WhatIfSubject, before: string | undefined): Promise<void> {
    this.run?.stop.abort();
    const replayed = replayable(subject).find(({ id }) => id === before);
    const customStrategy = this.ports.customStrategy();
    const tried = strategyIds.filter((id) => id !== 'custom' || customStrategy !== undefined);
    const { transcript } = subject;
    const run: Run = {
      subject:
        replayed === undefined
          ? subject
          : { ...subject, transcript: transcriptBefore(transcript.entries, replayed.id) },
      replayed,
      stop: new AbortController(),
      startedAt: this.ports.now(),
      total: tried.length,
      phase: 'running',
      outcomes: [],
    };
    this.run = run;
    try {
      await this.tryAll(run, tried, customStrategy);
      run.phase = run.stop.signal.aborted ? 'cancelled' : 'done';
    } catch (error) {
      const isCancelled = run.stop.signal.aborted;
      run.phase = isCancelled ? 'cancelled' : 'failed';
      if (!isCancelled) run.problem = this.ports.wording.error(error);
    }
    run.running = undefined;
    run.endedAt = this.ports.now();
    if (this.run === run) this.tell(subject);
  }

  private tryAll(
    run: Run,
    strategies: readonly StrategyId[],
    customStrategy: (() => Promise<CustomStrategy>) | undefined,
  ): Promise<void> {
    const { transcript, tools, budget, model } = run.subject;
    const { protectFirst, focus, optionsOf } = this.ports.settings();
    return this.ports.tryAll(
      {
        candidates: strategies.map((strategy) => ({ strategy, options: optionsOf(strategy) })),
        tools,
        budget,
        protectFirst,
        focus: focus || undefined,
        folder: run.replayed?.folder,
        hasStandInModel: !model.isOffline,
        recordPrefix: `t${run.startedAt.toString(36)}`,
      },
      { id: copyId(run), transcript, meter: run.subject.inspector.meter },
      customStrategy,
      (running, done) => {
        run.running = running;
        run.outcomes = [...run.outcomes, ...done];
        if (this.run === run) this.tell(run.subject);
      },
      run.stop.signal,
    );
  }

  private outcomeOf(strategy: string, { sessionId }: WhatIfSubject): Outcome | undefined {
    if (this.run?.subject.sessionId !== sessionId) return undefined;
    return this.run.outcomes.find((outcome) => outcome.strategy === strategy);
  }

  /** The record that a strategy would make, or the agent made, and the view before it. */
  private triedWith(strategy: string, subject: WhatIfSubject): Tried | undefined {
    const { run } = this;
    const record = run?.replayed?.id === strategy ? run.replayed : this.outcomeOf(strategy, subject)?.record;
    if (run?.subject.sessionId !== subject.sessionId || record === undefined) return undefined;
    return { record: { ...record, id: previewId(strategy) }, view: run.subject.transcript.view };
  }

  private tell(subject: WhatIfSubject): void {
    this.post({ type: 'what-if', sessionId: subject.sessionId, view: this.viewFor(subject) });
  }

  private viewFor(subject: WhatIfSubject): WhatIfView {
    const { current } = this.ports.settings();
    const run = this.run?.subject.sessionId === subject.sessionId ? this.run : undefined;
    const moments = replayable(subject).map(momentOf);
    if (run === undefined) {
      const nothing = { isStale: false, total: 0, durationMs: 0, tokensBefore: 0, rows: [] };
      return { phase: 'idle', current, moments, before: moments[0]?.recordId, ...nothing };
    }
    const { phase, replayed, total, running, problem, outcomes, applied, applying } = run;
    const isOld = isStale(run, subject);
    return {
      phase,
      isStale: isOld,
      applied: isOld ? applied : undefined,
      applying,
      total,
      running,
      problem,
      durationMs: Math.max(0, (run.endedAt ?? this.ports.now()) - run.startedAt),
      tokensBefore: outcomes[0]?.record.before.tokens ?? 0,
      current,
      moments,
      before: replayed?.id,
      made: replayed && rowOfRecord(replayed, subject.model, this.ports.wording),
      rows: outcomes.map((outcome) => rowOf(outcome, subject.model, this.ports.wording)),
    };
  }
}

/**
 * Compactions of a read-only session before which strategies can be tried, newest first. In the chat, "Re-run with…"
 * does this for real.
 */
function replayable({ session, transcript }: WhatIfSubject): readonly CompactionRecord[] {
  if (session !== undefined) return [];
  return recordsInForce(transcript.entries)
    .filter(({ before }) => before.messages > 0)
    .toReversed();
}

/** The engine caches a session and its past separately, so that neither has to be sent again. */
function copyId({ subject: { sessionId }, replayed }: Run): string {
  return replayed === undefined ? sessionId : `${sessionId} before ${replayed.id}`;
}

/**
 * Sizes and costs apply to one exact view. The view before a compaction does not change as long as the session has that
 * compaction.
 */
function isStale(
  { subject: { transcript: base }, replayed }: Run,
  { transcript: now }: WhatIfSubject,
): boolean {
  if (replayed !== undefined) return !recordsOf(now).includes(replayed);
  const hasSamePins = base.pins.size === now.pins.size && [...base.pins].every((id) => now.pins.has(id));
  return base.view.length !== now.view.length || !isStillBase(base, now) || !hasSamePins;
}
