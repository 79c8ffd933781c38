import { engineSentences } from '../../language/english/engine-english.ts';
import { createBudget, targetFor, type Budget } from '../budget/budget.ts';
import { EarlyAttempts } from '../budget/attempt-guard.ts';
import { LearnedWindow, type NextSize, RequestSize, windowLearned } from './request-size.ts';
import { forecastOf, type CompactionForecast, shortensEarly } from './compaction-forecast.ts';
import { AskGate } from './ask-gate.ts';
import { isPausedByUndo } from './undo-pause.ts';
import { startedBy } from '../budget/trigger.ts';
import type { CancellationSignal } from '../signals/cancellation.ts';
import type { RunOverrides } from './start-compaction.ts';
import type { SummaryEdit } from '../manual-edits/fixed-plan.ts';
import type { CompactionPorts } from './compact.ts';
import { CompactionRunner, type PlannedCompaction } from './run-and-record.ts';
import type { ReportedUsage } from '../messages/message.ts';
import { undoneTogether, type CompactionRecord, type Trigger } from '../records/record.ts';
import type { CompactionEvent, CompactionHost, CompactionSettings, Overflow } from './service-ports.ts';
import {
  type Base,
  baseChanged,
  isShownAsItWas,
  restoredTogether,
  TranscriptError,
} from '../transcript/transcript.ts';
import { none } from '../strategies/none.ts';
import type { SummaryModel } from '../summary/summary-model.ts';
import { type ProtectionCause, protections } from '../messages/protection.ts';
import type { Usage } from '../tokens/usage.ts';
import { recordsInForce } from '../transcript/view.ts';

/** Decides when to compact, runs one compaction at a time, and records every attempt in the transcript. */
export class CompactionService {
  private readonly early = new EarlyAttempts();
  private readonly asked: AskGate;
  private readonly learned = new LearnedWindow();
  private readonly next: RequestSize;
  private readonly runs: CompactionRunner;
  private readonly host: CompactionHost;
  private readonly settings: () => CompactionSettings;
  private readonly now: () => string;
  private queue: Promise<unknown> = Promise.resolve();
  /** Id of the newest request for which the view was rebuilt, or rebuilding failed. */
  private followed: string | undefined;

  constructor(
    host: CompactionHost,
    ports: CompactionPorts,
    settings: () => CompactionSettings,
    emit: (event: CompactionEvent) => void = () => {},
  ) {
    const next = new RequestSize(host, ports);
    const applied = () => {
      next.forget();
      this.asked.reset();
      this.early.reset();
    };
    this.host = host;
    this.settings = settings;
    this.now = () => new Date(ports.clock.now()).toISOString();
    this.asked = new AskGate((trigger) => emit({ type: 'compaction-proposed', trigger }));
    this.next = next;
    this.runs = new CompactionRunner({ host, ports, settings, next, emit, applied });
  }

  /** True after three model failures in a row, until the user starts a compaction. */
  get isBreakerOpen(): boolean {
    return this.runs.guard.isOpen;
  }

  get isSpendingLimitReached(): boolean {
    return this.runs.spending.isExhausted;
  }

  /** True after an undo: no automatic compaction until the user compacts, or the window has no room for a reply. */
  get isPaused(): boolean {
    return this.settings().mode === 'auto' && isPausedByUndo(this.host.transcript.entries);
  }

  /** Wraps a model for the user's requests outside a compaction. Refuses no request, and adds up the spending. */
  charged(model: SummaryModel): Promise<SummaryModel> {
    return this.runs.charged(model);
  }

  get proposal(): Trigger | undefined {
    const { mode, strategy } = this.settings();
    return mode === 'ask' && strategy.id !== none.id ? this.asked.trigger : undefined;
  }

  /** The budget in the settings, limited to the window learned from the provider. */
  get budget(): Budget {
    const { budget } = this.settings();
    return createBudget({ ...budget, window: this.learned.within(budget.window) });
  }

  outlook(): CompactionForecast {
    const { guard, hasBackground, added, mayAskModel } = this.runs;
    return forecastOf({
      settings: this.settings(),
      budget: this.budget,
      added,
      isPaused: this.isPaused,
      isUnderWay: hasBackground,
      mayBegin: mayAskModel,
      restsBelow: guard.restsBelow,
      asksFrom: this.asked.restsBelow,
    });
  }

  /** Returns the messages that every compaction has to keep now, by id, with the reason. */
  protections(): ReadonlyMap<string, ProtectionCause> {
    const { view, pins } = this.host.transcript;
    return protections(view, { pins, protectFirst: this.settings().protectFirst });
  }

  async size(): Promise<NextSize> {
    const { byKind } = await this.next.usage();
    return { tokens: await this.next.estimate(), byKind };
  }

  usage(): Promise<Usage> {
    return this.next.usage();
  }

  noteReported(usage: ReportedUsage): void {
    this.next.note(usage);
  }

  /** Compacts, or asks, if the next request is too large. Called before model calls and after a turn. */
  check(signal: CancellationSignal): Promise<void> {
    return this.exclusively(async () => {
      const { mode, strategy } = this.settings();
      const isOff = mode === 'off' || strategy.id === none.id;
      const budget = this.budget;
      const tokens = await this.next.estimate();
      if (mode === 'auto' && !isOff) {
        await this.checkAutomatic(tokens, budget, signal);
        return;
      }
      await this.runs.discardBackground();
      if (!isOff) this.asked.update(this.runs.triggerAt(tokens, budget));
    });
  }

  /** Records the user's answer. The user is not asked again until the view has grown by a step. */
  answerProposal(): void {
    this.asked.answer(this.budget);
  }

  /** Compacts after a request was refused as too long. @returns true if a retry makes sense */
  recoverFromOverflow(overflow: Overflow, signal: CancellationSignal): Promise<boolean> {
    return this.exclusively(async () => {
      const { total: refused } = await this.usage();
      const limit = windowLearned(overflow.limit, overflow.actual, refused);
      this.learned.learn(limit, this.settings().budget.window);
      this.next.forget();
      await this.runs.settleBackground(true, this.budget, signal);
      if (signal.aborted) return false;
      const { total: tokens } = await this.usage();
      const budget = this.budget;
      const trigger: Trigger = { source: 'overflow', requirement: 'hard', tokens };
      if (tokens < refused && tokens <= (targetFor(trigger, budget) ?? 0)) return true;
      const record = await this.runs.runAutomatic(trigger, budget, signal);
      return record?.status === 'applied';
    });
  }

  /** Compacts on the user's request, despite an open breaker or a cool-down. */
  compactNow(request: RunOverrides, signal: CancellationSignal): Promise<CompactionRecord> {
    return this.exclusively(async () => {
      await this.runs.discardBackground();
      if (request.strategy?.isExact !== true) this.runs.guard.reset();
      const { total } = await this.usage();
      const trigger: Trigger = { source: 'manual', requirement: 'soft', tokens: total };
      const record = await this.runs.run(trigger, this.budget, request, signal);
      if (record.status === 'applied') this.runs.guard.reset();
      return record;
    });
  }

  /** Compacts on the agent's request: only in the mode `auto`, and not while the model keeps failing. */
  compactForAgent(focus: string | undefined, signal: CancellationSignal): Promise<void> {
    return this.exclusively(async () => {
      if (this.settings().mode !== 'auto' || this.isPaused) return;
      await this.runs.discardBackground();
      const { total } = await this.usage();
      const trigger: Trigger = { source: 'agent', requirement: 'soft', tokens: total };
      await this.runs.runAutomatic(trigger, this.budget, signal, focus);
    });
  }

  /** Compacts after a finished step of the agent's plan, if the setting is on and the view exceeds the target. */
  compactAfterStep(signal: CancellationSignal): Promise<void> {
    return this.exclusively(async () => {
      const { mode, strategy, afterPlanStep = false } = this.settings();
      if (mode !== 'auto' || !afterPlanStep || strategy.id === none.id) return;
      if (this.runs.hasBackground || this.isPaused) return;
      const { total } = await this.usage();
      const budget = this.budget;
      if (budget.target === undefined || total <= budget.target) return;
      await this.runs.runAutomatic(
        { source: 'planStep', requirement: 'soft', tokens: total },
        budget,
        signal,
      );
    });
  }

  stopBackground(): Promise<void> {
    return this.runs.discardBackground();
  }

  /** Waits until no background compaction is running. @returns true if its result can be taken over */
  backgroundEnded(): Promise<boolean> {
    return this.runs.backgroundEnded();
  }

  /** Takes over the result of a background compaction that has ended. */
  takeBackground(signal: CancellationSignal): Promise<unknown> {
    return this.exclusively(() => this.runs.settleBackground(false, this.budget, signal));
  }

  /** Returns the compactions that are undone together with this one, oldest first, including this one. */
  undoneWith(recordId: string): readonly CompactionRecord[] {
    return undoneTogether(recordsInForce(this.host.transcript.entries), recordId);
  }

  /** Undoes a compaction and keeps later messages. @throws {TranscriptError} unless it is in force */
  undo(recordId: string): Promise<readonly CompactionRecord[]> {
    return this.exclusively(async () => {
      const undone = this.undoneWith(recordId);
      if (undone.length === 0)
        throw new TranscriptError(engineSentences.say('compactionNotInForce', { id: recordId }));
      await this.runs.discardBackground(baseChanged);
      await this.host.append({
        type: 'undo',
        createdAt: this.now(),
        recordIds: undone.map((record) => record.id),
      });
      this.next.forget();
      return undone;
    });
  }

  /** Restores a message, with its exchange if needed. @returns restored ids @throws {TranscriptError} if unknown */
  restore(messageId: string): Promise<readonly string[]> {
    return this.exclusively(async () => {
      const before = this.host.transcript;
      const messageIds = restoredTogether(this.host.transcript, messageId);
      if (messageIds.length === 0)
        throw new TranscriptError(engineSentences.say('hasNoMessage', { id: messageId }));
      await this.runs.discardBackground(baseChanged);
      await this.host.append({ type: 'restore', createdAt: this.now(), messageIds });
      this.next.forget();
      const now = this.host.transcript;
      return messageIds.filter((id) => isShownAsItWas(now, id) && !isShownAsItWas(before, id));
    });
  }

  /** Plans a compaction for the user without recording it. `applyRecord` applies the plan. */
  async preview(request: RunOverrides, signal: CancellationSignal): Promise<PlannedCompaction> {
    const { total } = await this.usage();
    const trigger: Trigger = { source: 'manual', requirement: 'soft', tokens: total };
    return this.runs.plan(trigger, this.budget, request, signal);
  }

  /** Plans a previewed compaction again with edited summaries, which have to pass every check. */
  async previewEdited(
    preview: PlannedCompaction,
    edits: readonly SummaryEdit[],
    request: RunOverrides,
    signal: CancellationSignal,
  ): Promise<PlannedCompaction> {
    const { withEdits } = await import('../manual-edits/fixed-plan.ts');
    const { record } = preview;
    const strategy = withEdits(request.strategy ?? this.settings().strategy, record, edits);
    const { options } = record;
    const planned = await this.preview({ ...request, strategy, options }, signal);
    const { requestedStrategy, tiers, modelUse } = record;
    const made = planned.record.status === 'applied' ? { tiers, isEdited: true } : {};
    const spent = modelUse === undefined ? {} : { modelUse };
    return { ...planned, record: { ...planned.record, requestedStrategy, options, ...made, ...spent } };
  }

  /** Applies a plan made for `base`, under a new id. @returns the record, `cancelled` if the view has changed */
  applyRecord(record: CompactionRecord, base: Base): Promise<CompactionRecord> {
    return this.exclusively(async () => {
      await this.runs.discardBackground(baseChanged);
      return this.runs.adopt(record, base);
    });
  }

  private async checkAutomatic(tokens: number, budget: Budget, signal: CancellationSignal): Promise<void> {
    const { runs } = this;
    if (runs.hasBackground) {
      const isFull = runs.triggerAt(tokens, budget)?.requirement === 'hard';
      const mayWait = isFull || tokens >= (budget.background?.until ?? 0);
      if (!(await runs.settleBackground(mayWait, budget, signal)) || signal.aborted) return;
      tokens = await this.next.estimate();
    }
    const trigger = runs.triggerAt(tokens, budget);
    if (this.isPaused && trigger?.requirement !== 'hard') return;
    if (trigger !== undefined) {
      await runs.runAutomatic(trigger, budget, signal);
      return;
    }
    const outdatedFor = this.settings().strategy.outdatedFor?.(this.host.transcript.view);
    if (outdatedFor !== undefined && outdatedFor !== this.followed) {
      this.followed = outdatedFor;
      await runs.run({ source: 'newRequest', requirement: 'soft', tokens }, budget, {}, signal);
      return;
    }
    if (shortensEarly(this.settings()) && this.early.isDue(tokens, budget)) {
      const early = startedBy({ source: 'savings', requirement: 'soft', tokens }, 'early', budget);
      const record = await runs.run(early, budget, {}, signal);
      if (record.status === 'applied') return;
    }
    runs.startBackground(tokens, budget, signal);
  }

  /** Runs one task at a time: a manual compaction waits for an automatic one, and vice versa. */
  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work, work);
    this.queue = result.catch(() => {});
    return result;
  }
}
