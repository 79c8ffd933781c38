import {
  BackgroundCompaction,
  overridesWithoutModel,
  type RunOverrides,
  startCompaction,
  type StartedCompaction,
} from './start-compaction.ts';
import type { Budget } from '../budget/budget.ts';
import { type Growth, GrowthCounter, startedBy, triggerFor } from '../budget/trigger.ts';
import { AttemptGuard } from '../budget/attempt-guard.ts';
import { SummarySpending } from '../budget/summary-spending.ts';
import type { SummaryModel } from '../summary/summary-model.ts';
import type { CancellationSignal } from '../signals/cancellation.ts';
import type { CompactionPorts } from './compact.ts';
import type { RequestSize } from './request-size.ts';
import { PhaseTeller } from '../records/phase.ts';
import type { CompactionRecord, Reason, Trigger } from '../records/record.ts';
import type { CompactionEvent, CompactionHost, CompactionSettings } from './service-ports.ts';
import { type Base, baseChanged, isStillBase, recordsOf, unlessStale } from '../transcript/transcript.ts';

interface RunContext {
  readonly host: CompactionHost;
  readonly ports: CompactionPorts;
  readonly settings: () => CompactionSettings;
  readonly next: RequestSize;
  readonly emit: (event: CompactionEvent) => void;
  readonly applied: () => void;
}

/** A compaction that is not yet in the transcript, and the view for which it was planned. */
export interface PlannedCompaction {
  readonly record: CompactionRecord;
  readonly base: Base;
}

/** Runs compactions, records their results, and prevents automatic ones from repeating without effect. */
export class CompactionRunner {
  readonly guard = new AttemptGuard();
  readonly spending: SummarySpending;
  private readonly context: RunContext;
  private readonly growth = new GrowthCounter();
  private readonly background = new BackgroundCompaction((started, reason) => {
    started.phases.discarded(started.records, reason);
    this.tellBackground([], reason);
  });
  private begun = 0;
  private isWaitedFor = false;

  constructor(context: RunContext) {
    this.context = context;
    this.spending = new SummarySpending(
      recordsOf(context.host.transcript),
      () => context.settings().spendingLimit ?? {},
    );
  }

  get mayAskModel(): boolean {
    return !this.guard.isOpen && !this.spending.isExhausted;
  }

  get added(): Growth {
    return this.growth.since(this.context.host.transcript);
  }

  triggerAt(tokens: number, budget: Budget): Trigger | undefined {
    const trigger = triggerFor(tokens, this.added, budget);
    return trigger === undefined ? undefined : startedBy(trigger, 'due', budget);
  }

  /** True if a background compaction is running, or has ended and is not settled yet. */
  get hasBackground(): boolean {
    return this.background.current !== undefined;
  }

  async run(
    trigger: Trigger,
    budget: Budget,
    choice: RunOverrides,
    signal: CancellationSignal,
  ): Promise<CompactionRecord> {
    return (await this.attempt(trigger, budget, choice, signal)).record;
  }

  private async attempt(
    trigger: Trigger,
    budget: Budget,
    choice: RunOverrides,
    signal: CancellationSignal,
  ): Promise<{ readonly record: CompactionRecord; readonly isModelUseless: boolean }> {
    const { emit } = this.context;
    // Early attempts often make no change. They are reported only if they make one.
    const isQuiet = trigger.source === 'savings' || trigger.source === 'newRequest';
    const started = this.begin(trigger, budget, choice, signal);
    if (!isQuiet) emit({ type: 'compaction-start', strategy: started.strategy, trigger });
    const records = await started.phases.planning(started.records);
    const upToDate = this.upToDate(started, records);
    // Automatic attempts without effect stay out of the history.
    const telling = upToDate.filter(({ status }) => trigger.source === 'manual' || status !== 'unchanged');
    if (!isQuiet || telling.length > 0) await this.write(telling);
    started.phases.done(records, upToDate);
    const isModelUseless = wasUseless(records);
    if (isQuiet && telling.length === 0) return { record: records[0], isModelUseless };
    emit({ type: 'compaction-end', records: telling });
    return { record: telling.at(-1) ?? records[0], isModelUseless };
  }

  /** Runs an automatic compaction; without a model if none may be asked (no growth, open breaker, spent limit). */
  async runAutomatic(
    trigger: Trigger,
    budget: Budget,
    signal: CancellationSignal,
    focus?: string,
  ): Promise<CompactionRecord | undefined> {
    const settings = this.context.settings();
    const { needsModel } = settings.strategy;
    const isCoolingDown = this.guard.isCoolingDown(trigger.tokens);
    if (isCoolingDown && trigger.requirement === 'soft' && !needsModel) return undefined;
    const rests = needsModel && (!this.mayAskModel || isCoolingDown);
    const choice = rests ? overridesWithoutModel(settings) : {};
    const attempt = await this.attempt(trigger, budget, { ...choice, focus }, signal);
    await this.learn(attempt, budget, { rests, isCoolingDown });
    return attempt.record;
  }

  /** Wraps a model so that the user's requests outside a compaction are added to the spending. */
  async charged(model: SummaryModel): Promise<SummaryModel> {
    const { SummaryBill } = await import('./billed-compaction.ts');
    return new SummaryBill(this.context.ports.meter, this.spending.allowance(true)).of(model);
  }

  async plan(
    trigger: Trigger,
    budget: Budget,
    choice: RunOverrides,
    signal: CancellationSignal,
  ): Promise<PlannedCompaction> {
    const { host, ports, settings } = this.context;
    const phases = new PhaseTeller(() => {}, trigger);
    const allowance = this.spending.allowance(true);
    const about = { trigger, budget, choice, phases, allowance };
    const { base, records } = startCompaction(host, ports, settings(), about, signal);
    const tried = await records;
    return { record: tried.at(-1) ?? tried[0], base };
  }

  async adopt(record: CompactionRecord, base: Base): Promise<CompactionRecord> {
    const { host, ports, emit } = this.context;
    const own = {
      ...record,
      id: ports.nextRecordId(),
      createdAt: new Date(ports.clock.now()).toISOString(),
    };
    const adopted = unlessStale(own, base, host.transcript);
    const phases = this.tellPhases(own.trigger);
    phases.tell({ phase: 'before', strategy: own.actualStrategy });
    await this.write([adopted]);
    phases.done([own], [adopted]);
    if (adopted.status === 'applied') this.guard.reset();
    emit({ type: 'compaction-end', records: [adopted] });
    return adopted;
  }

  /** Starts a background compaction if the view is large enough and no recent attempt failed. */
  startBackground(tokens: number, budget: Budget, signal: CancellationSignal): void {
    const { settings, emit } = this.context;
    const isDue = settings().strategy.needsModel && isInRange(tokens, budget);
    if (!isDue || !this.mayAskModel || this.guard.isCoolingDown(tokens)) return;
    const source = budget.window === undefined ? 'tokens' : 'ratio';
    const trigger = startedBy({ source, requirement: 'soft', tokens }, 'background', budget);
    const { strategy } = this.background.start((stop) => this.begin(trigger, budget, {}, stop, true));
    this.background.follow(signal);
    emit({ type: 'compaction-start', strategy, trigger, isBackground: true });
  }

  /** Applies or discards the finished background compaction, or waits for it. @returns false if it still runs */
  async settleBackground(mayWait: boolean, budget: Budget, signal: CancellationSignal): Promise<boolean> {
    const { host, emit } = this.context;
    const { current, isDone } = this.background;
    if (current === undefined) return true;
    if (!isDone && !isStillBase(current.base, host.transcript)) {
      await this.background.discard(baseChanged);
      return true;
    }
    this.background.follow(signal);
    if (!isDone && !mayWait) return false;
    this.isWaitedFor = !isDone;
    try {
      if (!isDone) emit({ type: 'compaction-start', strategy: current.strategy, trigger: current.trigger });
      const records = await current.phases.planning(this.background.take());
      if (records !== undefined) await this.finishBackground(current, records, budget);
    } finally {
      this.isWaitedFor = false;
    }
    return true;
  }

  async backgroundEnded(): Promise<boolean> {
    await this.background.current?.records.catch(() => {});
    return this.background.isDone;
  }

  /** Stops the background compaction and discards it. Resolves when it has ended. */
  discardBackground(reason?: Reason): Promise<void> {
    return this.background.discard(reason);
  }

  private async finishBackground(
    started: StartedCompaction,
    records: readonly CompactionRecord[],
    budget: Budget,
  ): Promise<void> {
    const upToDate = this.upToDate(started, records);
    const telling = upToDate.filter(({ status }) => status !== 'unchanged' && status !== 'cancelled');
    const discarded = upToDate.find(({ status }) => status === 'cancelled')?.reason;
    await this.write(telling);
    started.phases.done(records, upToDate);
    this.tellBackground(telling, discarded);
    const record = upToDate.at(-1);
    if (record === undefined) return;
    const isModelUseless = wasUseless(records);
    await this.learn({ record, isModelUseless }, budget, { rests: false, isCoolingDown: false });
  }

  private tellBackground(records: readonly CompactionRecord[], discarded: Reason | undefined): void {
    this.context.emit({
      type: 'compaction-end',
      records,
      ...(this.isWaitedFor ? {} : { isBackground: true }),
      ...(discarded === undefined ? {} : { discarded }),
    });
  }

  private begin(
    trigger: Trigger,
    budget: Budget,
    choice: RunOverrides,
    signal: CancellationSignal,
    isBackground = false,
  ): StartedCompaction {
    const { host, ports, settings } = this.context;
    const phases = this.tellPhases(trigger, isBackground);
    const allowance = this.spending.allowance(trigger.source === 'manual');
    return startCompaction(host, ports, settings(), { trigger, budget, choice, phases, allowance }, signal);
  }

  private tellPhases(trigger: Trigger, isBackground = false): PhaseTeller {
    const { emit } = this.context;
    const about = { compaction: ++this.begun, trigger, ...(isBackground ? { isBackground } : {}) } as const;
    return new PhaseTeller((phase) => emit({ type: 'compaction-phase', ...about, ...phase }), trigger);
  }

  private upToDate(
    { base }: StartedCompaction,
    records: readonly CompactionRecord[],
  ): readonly CompactionRecord[] {
    return records.map((record) => unlessStale(record, base, this.context.host.transcript));
  }

  private async write(records: readonly CompactionRecord[]): Promise<void> {
    const { host, applied } = this.context;
    for (const record of records) await host.append({ type: 'compaction', record });
    this.growth.attempted(host.transcript);
    if (records.some(({ status }) => status === 'applied')) applied();
  }

  private async learn(
    { record, isModelUseless }: { readonly record: CompactionRecord; readonly isModelUseless: boolean },
    budget: Budget,
    { rests, isCoolingDown }: { readonly rests: boolean; readonly isCoolingDown: boolean },
  ): Promise<void> {
    const { guard } = this;
    const { status, summary, trigger, before } = record;
    const { needsModel } = this.context.settings().strategy;
    const tokens = await this.context.next.estimate();
    if (status === 'applied') {
      if (isModelUseless) guard.failed(tokens, budget);
      else if (summary !== undefined || !needsModel) guard.modelSucceeded();
      const isDueAgain = this.triggerAt(tokens, budget) !== undefined || isInRange(tokens, budget);
      if (rests) guard.shrank(Math.max(trigger.tokens, before.tokens), tokens);
      else if (needsModel && (isDueAgain || isHardlySmaller(tokens, budget))) guard.fellShort(tokens, budget);
      else if (isDueAgain) guard.waitForGrowth(tokens, budget);
      else if (!isModelUseless) guard.helped();
    } else if (status === 'refused' || status === 'failed') guard.failed(tokens, budget);
    else if (!isCoolingDown) guard.waitForGrowth(tokens, budget);
  }
}

/** True if a compaction freed less than half of the tokens between trigger and target. */
function isHardlySmaller(tokens: number, { trigger, target }: Budget): boolean {
  return trigger !== undefined && target !== undefined && tokens > (trigger + target) / 2;
}

/** True if a model was asked, but none of its text is in the view. Later tiers do not matter. */
function wasUseless(records: readonly CompactionRecord[]): boolean {
  const last = records.at(-1);
  if (last?.modelUse === undefined || last.status === 'cancelled') return false;
  const isFailed = last.tiers.some(({ status }) => status === 'refused' || status === 'failed');
  return last.status === 'applied' ? last.summary === undefined && isFailed : last.status !== 'unchanged';
}

function isInRange(tokens: number, { background }: Budget): boolean {
  return background !== undefined && tokens >= background.from;
}
