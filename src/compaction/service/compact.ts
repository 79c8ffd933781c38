import { acceptanceSentences } from '../../language/english/acceptance-english.ts';
import type { Allowance } from '../budget/summary-spending.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { targetFor, type Budget } from '../budget/budget.ts';
import { throwIfCancelled, type CancellationSignal } from '../signals/cancellation.ts';
import { lastResortId, planLastResort } from '../strategies/steps/last-resort.ts';
import { reasonOf } from '../records/reason.ts';
import { withFilesBack } from './restore-files.ts';
import { coverageOf } from '../ledger/coverage.ts';
import type { FileAllowance, ReadPresentFile } from '../files/restored-files.ts';
import type { Message, ToolSchema } from '../messages/message.ts';
import {
  type MeasuredView,
  measureView,
  type Outcome,
  outcomeOf,
  outcomeOfError,
  type ViewChange,
} from './outcome.ts';
import type { PhaseListener } from '../records/phase.ts';
import { memoryIds, withoutSummarised } from '../messages/protection.ts';
import { historyOf, type Part, protectionsFor, recordedPart, targetOfPart } from './part.ts';
import type { PlannedAction } from '../records/plan.ts';
import { noSession, type TagSuffix } from '../quoting/session-tags.ts';
import type { CompactionRecord, Reason, RecordedAction, Tier, Trigger } from '../records/record.ts';
import { custom } from '../strategies/custom.ts';
import type { Strategy, StrategyInput, StrategyPorts } from '../strategies/contract/strategy.ts';

export interface CompactionRequest {
  readonly view: readonly Message[];
  /** All original messages, if more are known than the view contains. The ledger is built from these messages. */
  readonly history?: readonly Message[];
  readonly tools: readonly ToolSchema[];
  readonly pins: ReadonlySet<string>;
  readonly protectFirst: boolean;
  readonly trigger: Trigger;
  readonly budget: Budget;
  /** Target size in tokens, including tool schemas; undefined if no window is known. */
  readonly target: number | undefined;
  readonly strategy: Strategy;
  readonly options: Readonly<Record<string, unknown>>;
  readonly focus?: string | undefined;
  readonly folder?: string | undefined;
  readonly tagSuffix?: TagSuffix | undefined;
  readonly requestedStrategy?: string;
  /** Part of the view to compact; the whole view if undefined. */
  readonly part?: Part | undefined;
  readonly restoreFiles?: FileAllowance | undefined;
}

export interface CompactionPorts extends StrategyPorts {
  /** Reads the current content of a workspace file. Without this function, no files are restored after a summary. */
  readonly readFile?: ReadPresentFile | undefined;
  readonly clock: {
    /** @returns milliseconds since 1970 */
    now(): number;
  };
  /** @returns ids for records, unique in the transcript */
  readonly nextRecordId: () => string;
  readonly tell?: PhaseListener | undefined;
  /** Plans compactions on another thread. @returns undefined for a compaction that has to be planned here */
  readonly elsewhere?: ((work: CompactionWork) => Promise<CompactionRecords> | undefined) | undefined;
}

/** The records of a compaction: one for each strategy that was tried. */
export type CompactionRecords = readonly [CompactionRecord, ...CompactionRecord[]];

export interface CompactionWork {
  readonly request: CompactionRequest;
  /** Transcript of the session. Its view is the view of the request. */
  readonly transcript: Pick<Transcript, 'entries' | 'view'>;
  readonly ports: CompactionPorts;
  readonly allowance: Allowance;
  readonly signal: CancellationSignal;
}

/** Plans, checks and measures a smaller view. @returns a record for each tried strategy; only the last is `applied` */
export async function compact(
  request: CompactionRequest,
  { meter, ...others }: CompactionPorts,
  signal: CancellationSignal,
): Promise<CompactionRecords> {
  const ports: CompactionPorts = { ...others, meter: meter.remembering() };
  const attempt = new Attempt(request, ports, await measureView(request, ports.meter), signal);
  const first = await attempt.run(request.strategy.id, async (input) => {
    const result = await request.strategy.plan(input, ports, signal);
    throwIfCancelled(signal);
    return result;
  });
  const { target, trigger } = request;
  // The user chose exactly what to compact.
  if (request.strategy.isExact === true || request.part !== undefined) return [first];
  if (first.status === 'applied' && trigger.requirement === 'soft') {
    return attempt.unlessTooLong(first, request.budget.window);
  }
  // Some strategies already hide output, and hiding again would free no more.
  const isExhausted = first.reason?.code === 'exhausted';
  const isDone = first.status === 'applied' || first.status === 'cancelled' || isExhausted;
  const isSettled = target !== undefined && first.before.tokens <= target;
  // A custom strategy may fail in any way. The turn must not wait until the strategy is fixed.
  const isFailed = first.status === 'failed' || first.status === 'refused';
  const isOptional = trigger.requirement === 'soft' && !(request.strategy.id === custom.id && isFailed);
  if (isOptional || target === undefined || isDone || isSettled) return [first];
  return [first, await attempt.fold()];
}

type Planning = (input: StrategyInput<never>) => ReturnType<Strategy['plan']>;

/** Runs tiers one after the other on the same view and writes a record for each. */
class Attempt {
  private readonly tiers: Tier[] = [];
  private request: CompactionRequest;
  private readonly ports: CompactionPorts;
  private readonly before: MeasuredView;
  private readonly signal: CancellationSignal;
  private readonly isProtected: ReadonlySet<string>;
  private readonly memory: ReadonlySet<string>;

  constructor(
    request: CompactionRequest,
    ports: CompactionPorts,
    before: MeasuredView,
    signal: CancellationSignal,
  ) {
    this.signal = signal;
    this.request = request;
    this.ports = ports;
    this.before = before;
    const { view, part } = request;
    const outside = part === undefined ? [] : [...view.slice(0, part.start), ...view.slice(part.end)];
    this.isProtected = new Set([
      ...protectionsFor(view, part, request).keys(),
      ...outside.map(({ id }) => id),
    ]);
    this.memory = memoryIds(request.view, request.pins);
  }

  async run(strategy: string, planning: Planning): Promise<CompactionRecord> {
    const startedAt = this.ports.clock.now();
    const id = this.ports.nextRecordId();
    const { tell = () => {} } = this.ports;
    tell({ phase: 'tier-start', strategy });
    const {
      steps = [],
      madeBy = strategy,
      ...outcome
    } = await this.attempt(id, strategy, startedAt, planning);
    const { status } = outcome;
    const tier: Tier =
      status === 'applied'
        ? { strategy: madeBy, status }
        : { strategy: madeBy, status, reason: outcome.reason };
    this.tiers.push(...steps, tier);
    tell({ phase: 'tier-end', ...tier, strategy });
    if (status !== 'applied' && status !== 'unchanged') {
      tell({ phase: 'rollback', strategy, reason: outcome.reason });
    }
    const { view, part, trigger, options, focus, folder } = this.request;
    const { requestedStrategy = this.request.strategy.id } = this.request;
    const target = this.aim;
    return {
      id,
      createdAt: new Date(startedAt).toISOString(),
      trigger,
      requestedStrategy,
      actualStrategy: madeBy,
      options: strategy === lastResortId ? {} : options,
      ...(focus === undefined ? {} : { focus }),
      ...(folder === undefined ? {} : { folder }),
      ...(part === undefined
        ? { ...(target !== undefined && { target }) }
        : { part: recordedPart(view, part) }),
      ...(status === 'applied' ? outcome : { ...this.untouched(), ...outcome }),
      tiers: [...this.tiers],
      before: this.before.size,
      durationMs: Math.max(0, this.ports.clock.now() - startedAt),
    };
  }

  fold(): Promise<CompactionRecord> {
    return this.run(lastResortId, async (input) => ({
      kind: 'plan',
      plan: await planLastResort({ ...input, target: input.target ?? input.tokens }, this.ports),
    }));
  }

  /** Replaces an applied view that exceeds the window with the last tier's view, if that tier succeeds. */
  async unlessTooLong(first: CompactionRecord, window: number | undefined): Promise<CompactionRecords> {
    const { tokens } = first.after;
    if (window === undefined || tokens <= window) return [first];
    const reason = reasonOf('over-target', acceptanceSentences.say('stillOverWindow', { tokens, window }));
    const { summary, warningSentences: _unsaid, ...asked } = first;
    const refused: CompactionRecord = {
      ...asked,
      ...this.untouched(),
      status: 'refused',
      reason,
      tiers: refusedLast(first.tiers, reason),
      ...(summary === undefined ? {} : { summary }),
    };
    this.tiers.splice(0, this.tiers.length, ...refused.tiers);
    const trigger: Trigger = { ...this.request.trigger, requirement: 'hard' };
    this.request = { ...this.request, trigger, target: targetFor(trigger, this.request.budget) };
    const last = await this.fold();
    if (last.status !== 'applied') return [first];
    this.ports.tell?.({ phase: 'rollback', strategy: first.actualStrategy, reason });
    return [refused, last];
  }

  /**
   * Size that a strategy aims at, in tokens. A hard requirement only sets a limit, at which the next compaction would
   * already start; the aim is then the usual target.
   */
  private get aim(): number | undefined {
    const { target, trigger, budget } = this.request;
    const isHard = trigger.requirement === 'hard' && target !== undefined;
    return isHard ? Math.min(target, budget.target ?? target) : target;
  }

  private async attempt(
    id: string,
    strategy: string,
    startedAt: number,
    planning: Planning,
  ): Promise<Outcome> {
    const { request, before } = this;
    const { target, trigger, budget, part } = request;
    const limit = trigger.requirement === 'hard' ? target : undefined;
    const whole: StrategyInput<never> = {
      view: request.view,
      history: request.history ?? request.view,
      protectedIds: this.isProtected,
      memoryIds: this.memory,
      budget,
      trigger,
      tokens: before.size.tokens,
      toolTokens: before.tools.total,
      tools: request.tools,
      target: this.aim,
      limit,
      options: request.options as never,
      focus: request.focus,
      tagSuffix: request.tagSuffix ?? noSession,
    };
    try {
      const result = await planning(part === undefined ? whole : inputOfPart(whole, part, before));
      if (result.kind === 'unchanged') {
        const reason = reasonOf('nothing-to-do', result.reason);
        return { status: 'unchanged', reason, steps: result.tiers };
      }
      if (result.plan.actions.length === 0) {
        const reason = reasonOf('nothing-to-do', acceptanceSentences.say('planChangesNothing'));
        return { status: 'unchanged', reason };
      }
      const terms = {
        folder: this.request.folder,
        view: request.view,
        before,
        requirement: trigger.requirement,
        target,
        cachePrice: budget.cachePrice,
        staying: (actions: readonly RecordedAction[]) => this.staying(strategy, actions),
        stamp: { recordId: id, createdAt: new Date(startedAt).toISOString() },
      };
      const { actions } = result.plan;
      const plan =
        part === undefined
          ? result.plan
          : { ...result.plan, actions: placedInView(actions, request.view, part) };
      const outcome = await outcomeOf(plan, terms, this.ports.meter);
      const judged = { plan, outcome, terms, isProtected: this.isProtected };
      return await withFilesBack(judged, request, this.ports, this.signal);
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  /** Returns the ids of messages that have to stay: all protected messages, except memory that a summary replaces. */
  private staying(strategy: string, actions: readonly RecordedAction[]): ReadonlySet<string> {
    if (strategy === lastResortId || this.request.options['preserveMemory'] !== false)
      return this.isProtected;
    return withoutSummarised(this.isProtected, this.memory, actions);
  }

  private untouched(): ViewChange {
    const { view, folder } = this.request;
    return {
      after: this.before.size,
      actions: [],
      outputs: [],
      coverage: coverageOf(view, view, folder),
      cost: { cacheMissTokens: 0, savedPerCall: 0, breakEvenCalls: null },
      warnings: [],
    };
  }
}

/** Restricts a strategy's input to a part, as if the part were the whole conversation. */
function inputOfPart(
  whole: StrategyInput<never>,
  part: Part,
  { usages }: MeasuredView,
): StrategyInput<never> {
  const { start, end } = part;
  const partTokens = usages.slice(start, end).reduce((total, usage) => total + usage.total, 0);
  return {
    ...whole,
    view: whole.view.slice(start, end),
    history: historyOf(whole.history, whole.view, part),
    tokens: whole.toolTokens + partTokens,
    target: targetOfPart(partTokens, whole.toolTokens),
    isPart: true,
  };
}

/** Moves actions of a part into the whole view. An insertion at the beginning follows the message before the part. */
function placedInView(
  actions: readonly PlannedAction[],
  view: readonly Message[],
  { start }: Part,
): readonly PlannedAction[] {
  const before = view[start - 1]?.id ?? null;
  return actions.map((action) =>
    action.kind === 'insert' && action.after === null ? { ...action, after: before } : action,
  );
}

function refusedLast(tiers: readonly Tier[], reason: Reason): readonly Tier[] {
  return tiers.map((tier, index) =>
    index === tiers.length - 1 ? { strategy: tier.strategy, status: 'refused', reason } : tier,
  );
}
