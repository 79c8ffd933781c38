import { createBudget, targetFor, type Budget } from './budget/budget.ts';
import { EarlyAttempts } from './budget/early-attempts.ts';
import { GrowthCounter } from './budget/growth.ts';
import { windowLearned } from './budget/learned-window.ts';
import { Proposal } from './budget/proposal.ts';
import { ReportedSize } from './budget/reported-size.ts';
import { AttemptGuard, requestBuffer, triggerFor } from './budget/trigger.ts';
import type { CancellationSignal } from './cancellation.ts';
import { restingChoice, type Choice } from './choice.ts';
import { compact, type CompactionPorts } from './compact.ts';
import type { ReportedUsage } from './message.ts';
import { undoneTogether, type CompactionRecord, type Trigger } from './record.ts';
import type { CompactionEvent, CompactionHost, CompactionSettings, Overflow } from './service-ports.ts';
import { unlessStale } from './stale-record.ts';
import { none } from './strategies/none.ts';
import { resolveOptions } from './strategies/options.ts';
import type { Strategy } from './strategies/strategy.ts';
import { focusOf } from './summary/focus.ts';
import { sum, type Usage } from './tokens/usage.ts';
import { messagesOf, restoredTogether, TranscriptError } from './transcript.ts';
import { recordsInForce } from './view.ts';

/** Decides when to compact, runs it one at a time, and writes every attempt into the transcript. */
export class CompactionService {
  private readonly guard = new AttemptGuard();
  private readonly growth = new GrowthCounter();
  private readonly early = new EarlyAttempts();
  private readonly asked = new Proposal((trigger) => this.emit({ type: 'compaction-proposed', trigger }));
  private readonly reported = new ReportedSize();
  private readonly host: CompactionHost;
  private readonly ports: CompactionPorts;
  private readonly settings: () => CompactionSettings;
  private readonly emit: (event: CompactionEvent) => void;
  private queue: Promise<unknown> = Promise.resolve();
  private learnedWindow: number | undefined;

  constructor(
    host: CompactionHost,
    ports: CompactionPorts,
    settings: () => CompactionSettings,
    emit: (event: CompactionEvent) => void = () => {},
  ) {
    this.host = host;
    this.ports = ports;
    this.settings = settings;
    this.emit = emit;
  }

  /** True after three automatic failures in a row, until a compaction succeeds or a person starts one. */
  get isBreakerOpen(): boolean {
    return this.guard.isOpen;
  }

  /** What a person is asked about now; undefined where there is no question. */
  get proposal(): Trigger | undefined {
    const { mode, strategy } = this.settings();
    return mode === 'ask' && strategy.id !== none.id ? this.asked.trigger : undefined;
  }

  /** The budget as set, within the window a provider has taught us. */
  get budget(): Budget {
    const { budget } = this.settings();
    const { learnedWindow: learned } = this;
    if (learned === undefined) return createBudget(budget);
    return createBudget({ ...budget, window: Math.min(learned, budget.window ?? learned) });
  }

  /** Exact usage of what the next request would send. */
  async usage(): Promise<Usage> {
    const { meter } = this.ports;
    const { transcript, tools } = this.host;
    return sum([await meter.measureTools(tools), await meter.measure(transcript.view)]);
  }

  /** Notes what a provider reported for a request, so that later estimates start from it. */
  noteReported(usage: ReportedUsage): void {
    this.reported.note(usage, this.host.transcript.unpaired.at(-1)?.id);
  }

  /**
   * Compacts, or asks, if the next request calls for it. Called before every model call, and again after the last
   * response of a turn; never between a call and its results.
   */
  check(signal: CancellationSignal): Promise<void> {
    return this.exclusively(async () => {
      const { mode, strategy } = this.settings();
      if (mode === 'off' || strategy.id === none.id) return;
      const budget = this.budget;
      const tokens = await this.estimateNextRequest();
      const trigger = this.triggerAt(tokens, budget);
      if (mode === 'ask') this.asked.update(trigger);
      if (mode !== 'auto') return;
      if (trigger !== undefined) await this.runAutomatic(trigger, budget, signal);
      else if (strategy.shortensEarly === true && this.early.isDue(tokens, budget)) {
        await this.run({ source: 'savings', requirement: 'soft', tokens }, budget, {}, signal);
      }
    });
  }

  /** A person has answered what they were asked. Not asked again until the view has grown by a step. */
  answerProposal(): void {
    this.asked.answer(this.budget);
  }

  /**
   * After a provider refused a request as too long: one forced compaction.
   *
   * @returns whether the view is smaller now, so that trying once more makes sense
   */
  recoverFromOverflow(overflow: Overflow, signal: CancellationSignal): Promise<boolean> {
    return this.exclusively(async () => {
      const { total } = await this.usage();
      const limit = windowLearned(overflow.limit, overflow.actual, total);
      this.learnedWindow = Math.min(limit, this.learnedWindow ?? limit);
      this.reported.forget();
      const budget = this.budget;
      const trigger: Trigger = { source: 'overflow', requirement: 'hard', tokens: total };
      const record = await this.runAutomatic(trigger, budget, signal);
      return record?.status === 'applied';
    });
  }

  /** Compacts now because a person asked for it; neither a closed breaker nor a cool-down is in the way. */
  compactNow(
    request: { readonly focus?: string | undefined; readonly strategy?: Strategy },
    signal: CancellationSignal,
  ): Promise<CompactionRecord> {
    return this.exclusively(async () => {
      this.guard.reset();
      const { total } = await this.usage();
      const trigger: Trigger = { source: 'manual', requirement: 'soft', tokens: total };
      const record = await this.run(trigger, this.budget, request, signal);
      if (record.status === 'applied') this.guard.reset();
      return record;
    });
  }

  /**
   * Compacts because the agent asked for it, after a finished step of a plan for example. Otherwise like one that
   * starts by itself: in the other modes it does not, and a model that keeps failing is left alone.
   */
  compactForAgent(focus: string | undefined, signal: CancellationSignal): Promise<void> {
    return this.exclusively(async () => {
      if (this.settings().mode !== 'auto') return;
      const { total } = await this.usage();
      const trigger: Trigger = { source: 'agent', requirement: 'soft', tokens: total };
      await this.runAutomatic(trigger, this.budget, signal, focus);
    });
  }

  /** The compactions that an undo of this one takes with it, itself included, oldest first. */
  undoneWith(recordId: string): readonly CompactionRecord[] {
    return undoneTogether(recordsInForce(this.host.transcript.entries), recordId);
  }

  /**
   * Brings back the view as it was before a compaction, with everything said since.
   *
   * @throws {TranscriptError} if the record is not in force
   */
  undo(recordId: string): Promise<readonly CompactionRecord[]> {
    return this.exclusively(async () => {
      const undone = this.undoneWith(recordId);
      if (undone.length === 0) throw new TranscriptError(`Compaction ${recordId} is not in force.`);
      await this.host.append({
        type: 'undo',
        createdAt: this.now(),
        recordIds: undone.map((record) => record.id),
      });
      this.reported.forget();
      return undone;
    });
  }

  /**
   * Brings one message back as it was, with its whole exchange where the rest of that is not in the view.
   *
   * @returns ids of the messages that came back
   * @throws {TranscriptError} if the transcript has no such message
   */
  restore(messageId: string): Promise<readonly string[]> {
    return this.exclusively(async () => {
      const messageIds = restoredTogether(this.host.transcript, messageId);
      if (messageIds.length === 0) throw new TranscriptError(`The transcript has no message ${messageId}.`);
      await this.host.append({ type: 'restore', createdAt: this.now(), messageIds });
      this.reported.forget();
      return messageIds;
    });
  }

  /** Last reported usage plus an exact count of everything since, or an exact count of everything. */
  private async estimateNextRequest(): Promise<number> {
    const reported = this.reported.within(this.host.transcript.view);
    if (reported === undefined) return (await this.usage()).total + requestBuffer;
    const since = await this.ports.meter.measure(reported.since);
    return reported.tokens + since.total + requestBuffer;
  }

  private triggerAt(tokens: number, budget: Budget): Trigger | undefined {
    return triggerFor(tokens, this.growth.since(this.host.transcript.entries), budget);
  }

  /**
   * While the view has not grown since an attempt that did not help, and while the breaker is open, a strategy that
   * needs a model gives way to hiding, which costs nothing to try.
   */
  private async runAutomatic(
    trigger: Trigger,
    budget: Budget,
    signal: CancellationSignal,
    focus?: string,
  ): Promise<CompactionRecord | undefined> {
    const { strategy } = this.settings();
    const isCoolingDown = this.guard.isCoolingDown(trigger.tokens);
    if (isCoolingDown && trigger.requirement === 'soft' && !strategy.needsModel) return undefined;
    const rests = strategy.needsModel && (this.guard.isOpen || isCoolingDown);
    const choice = rests ? restingChoice(this.settings()) : {};
    const record = await this.run(trigger, budget, { ...choice, focus }, signal);

    const tokens = await this.estimateNextRequest();
    if (record.status === 'applied') {
      if (!rests) this.guard.reset();
      if (this.triggerAt(tokens, budget) !== undefined) this.guard.waitForGrowth(tokens, budget);
    } else if (record.status === 'refused' || record.status === 'failed') this.guard.failed(tokens, budget);
    else if (!isCoolingDown) this.guard.waitForGrowth(tokens, budget);
    return record;
  }

  private async run(
    trigger: Trigger,
    budget: Budget,
    choice: Choice,
    signal: CancellationSignal,
  ): Promise<CompactionRecord> {
    const settings = this.settings();
    const { transcript, tools } = this.host;
    const strategy = choice.strategy ?? settings.strategy;
    // Whether shortening pays is found out at many calls; only when it does is there something to tell.
    const isQuiet = trigger.source === 'savings';
    if (!isQuiet) this.emit({ type: 'compaction-start', strategy: strategy.id, trigger });
    const records = await compact(
      {
        view: transcript.view,
        history: messagesOf(transcript),
        tools,
        pins: transcript.pins,
        protectFirst: settings.protectFirst,
        trigger,
        budget,
        target: targetFor(trigger, budget),
        strategy,
        options:
          choice.options ??
          (strategy === settings.strategy ? settings.options : resolveOptions(strategy.options, {}).options),
        focus: focusOf({ options: { focus: settings.focus ?? '' }, focus: choice.focus }),
        requestedStrategy: settings.strategy.id,
      },
      this.ports,
      signal,
    );
    // An automatic attempt that found nothing to do is not worth a line in anyone's history.
    const telling = records
      .filter((record) => trigger.source === 'manual' || record.status !== 'unchanged')
      .map((record) => unlessStale(record, transcript.view, this.host.transcript.view));
    for (const record of telling) await this.host.append({ type: 'compaction', record });
    if (isQuiet && telling.length === 0) return records[0];
    this.growth.attempted(this.host.transcript.entries);
    if (telling.some((record) => record.status === 'applied')) {
      this.reported.forget();
      this.asked.reset();
      this.early.reset();
    }
    this.emit({ type: 'compaction-end', records: telling });
    return telling.at(-1) ?? records[0];
  }

  private now(): string {
    return new Date(this.ports.clock.now()).toISOString();
  }

  /** One at a time: a manual compaction waits for an automatic one, and the other way round. */
  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work, work);
    this.queue = result.catch(() => {});
    return result;
  }
}
