import { reasonOf } from '../records/reason.ts';
import { engineSentences } from '../../language/english/engine-english.ts';
import { type Budget, targetFor } from '../budget/budget.ts';
import type { Allowance } from '../budget/summary-spending.ts';
import type { PhaseTeller } from '../records/phase.ts';
import type { CompactionRecord, Reason, Trigger } from '../records/record.ts';
import { type CancellationSignal, Stopper } from '../signals/cancellation.ts';
import { optionsForPart, resolveOptions } from '../strategies/contract/options.ts';
import { type Strategy, unchanged } from '../strategies/contract/strategy.ts';
import { strategySentences } from '../../language/english/strategies-english.ts';
import { toolResultHiding } from '../strategies/tool-result-hiding.ts';
import { focusOf } from '../summary/summarise.ts';
import { quotedHistory } from '../transcript/quoted-history.ts';
import type { Base } from '../transcript/transcript.ts';
import { manuallyHidden } from '../transcript/view.ts';
import { partOf, type PartRange } from './part.ts';
import type { CompactionPorts, CompactionRecords, CompactionRequest } from './compact.ts';
import type { CompactionHost, CompactionSettings } from './service-ports.ts';

/** A compaction that is being planned. The transcript does not contain it yet. */
export interface StartedCompaction {
  readonly trigger: Trigger;
  readonly strategy: string;
  readonly base: Base;
  readonly phases: PhaseTeller;
  readonly records: Promise<CompactionRecords>;
}

interface Start {
  readonly trigger: Trigger;
  readonly budget: Budget;
  readonly choice: RunOverrides;
  readonly phases: PhaseTeller;
  readonly allowance: Allowance;
}

/** Plans a compaction of the next request, with the present transcript and settings. */
export function startCompaction(
  {
    transcript,
    tools,
    tagSuffix,
    folder,
  }: Pick<CompactionHost, 'transcript' | 'tools' | 'tagSuffix' | 'folder'>,
  ports: CompactionPorts,
  settings: CompactionSettings,
  { trigger, budget, choice, phases, allowance }: Start,
  signal: CancellationSignal,
): StartedCompaction {
  const { strategy = settings.strategy } = choice;
  phases.tell({ phase: 'before', strategy: strategy.id });
  const part = choice.part === undefined ? undefined : partOf(transcript, choice.part);
  const hidden = manuallyHidden(transcript.entries);
  const options =
    choice.options ??
    (strategy === settings.strategy ? settings.options : resolveOptions(strategy.options, {}).options);
  const request: CompactionRequest = {
    view: transcript.view,
    // No strategy restores messages that the user hid.
    history: quotedHistory(transcript).filter(({ id }) => !hidden.has(id)),
    tools,
    pins: transcript.pins,
    protectFirst: settings.protectFirst,
    restoreFiles: settings.restoreFiles,
    trigger,
    budget,
    target: targetFor(trigger, budget),
    strategy: part === undefined && choice.part !== undefined ? notInContext(strategy) : strategy,
    options: part === undefined ? options : optionsForPart(strategy.options, options),
    part,
    focus: focusOf({ options: { focus: settings.focus ?? '' }, focus: choice.focus }),
    // In an automatic compaction, the strategy in the settings counts as requested, even if another one runs.
    requestedStrategy:
      strategy.isExact === true || trigger.source === 'manual' ? strategy.id : settings.strategy.id,
    tagSuffix,
    folder,
  };
  const told = { ...ports, tell: phases.tell };
  const records =
    ports.elsewhere?.({ request, transcript, ports: told, allowance, signal }) ??
    import('./billed-compaction.ts').then(({ compactBilled }) =>
      compactBilled(request, told, allowance, signal),
    );
  return { trigger, strategy: strategy.id, base: transcript, phases, records };
}

/** Returns a strategy that changes nothing, for use once all chosen messages have left the view. */
function notInContext(strategy: Strategy): Strategy {
  const plan = () => Promise.resolve(unchanged(strategySentences.say('nothingToHide')));
  return { ...strategy, isExact: true, plan };
}

export interface RunOverrides {
  readonly strategy?: Strategy | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly focus?: string | undefined;
  readonly part?: PartRange | undefined;
}

/** Replaces a strategy while no model may be asked: with its variant without a model, or with hiding. */
export function overridesWithoutModel({
  strategy,
  options,
}: Pick<CompactionSettings, 'strategy' | 'options'>): RunOverrides {
  const { withoutModel } = strategy;
  return withoutModel === undefined
    ? { strategy: toolResultHiding }
    : { strategy, options: { ...options, ...withoutModel } };
}

interface Running {
  readonly started: StartedCompaction;
  readonly stopper: Stopper;
  isDone: boolean;
  unfollow: () => void;
}

const stopped = reasonOf('cancelled', engineSentences.say('stopped'));

/** The one compaction in the background, until its result is taken. */
export class BackgroundCompaction {
  private readonly discarded: (started: StartedCompaction, reason: Reason) => void;
  private running: Running | undefined;

  constructor(discarded: (started: StartedCompaction, reason: Reason) => void) {
    this.discarded = discarded;
  }

  get current(): StartedCompaction | undefined {
    return this.running?.started;
  }

  get isDone(): boolean {
    return this.running?.isDone === true;
  }

  /** Starts a compaction; none may be running. */
  start(begin: (signal: CancellationSignal) => StartedCompaction): StartedCompaction {
    const stopper = new Stopper();
    const started = begin(stopper);
    const running: Running = { started, stopper, isDone: false, unfollow: () => {} };
    this.running = running;
    const settled = () => {
      running.isDone = true;
      if (stopper.aborted && this.running === running) this.drop(started, stopped);
    };
    started.records.then(settled, settled);
    return started;
  }

  follow(signal: CancellationSignal): void {
    const { running } = this;
    if (running === undefined || running.isDone) return;
    running.unfollow();
    running.unfollow = running.stopper.follow(signal);
  }

  /** Waits for the records; undefined if the compaction was stopped. @throws the error of the planning */
  async take(): Promise<readonly CompactionRecord[] | undefined> {
    const { running } = this;
    if (running === undefined) return undefined;
    try {
      const records = await running.started.records;
      return this.running === running ? records : undefined;
    } finally {
      if (this.running === running) this.forget();
    }
  }

  async discard(reason: Reason = stopped): Promise<void> {
    const { running } = this;
    if (running === undefined) return;
    this.drop(running.started, reason);
    running.stopper.abort();
    await running.started.records.catch(() => {});
  }

  private drop(started: StartedCompaction, reason: Reason): void {
    this.forget();
    this.discarded(started, reason);
  }

  private forget(): void {
    this.running?.unfollow();
    this.running = undefined;
  }
}
