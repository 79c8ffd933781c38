import { targetFor, type Budget } from './budget/budget.ts';
import type { Allowance } from './budget/summary-spending.ts';
import type { CancellationSignal } from './cancellation.ts';
import type { Choice } from './choice.ts';
import type { CompactionPorts, CompactionRequest } from './compact.ts';
import type { PhaseTeller } from './phase.ts';
import type { CompactionRecord, Trigger } from './record.ts';
import type { CompactionHost, CompactionSettings } from './service-ports.ts';
import type { Base } from './stale-record.ts';
import { resolveOptions } from './strategies/contract/options.ts';
import { focusOf } from './summary/focus.ts';
import { messagesOf } from './transcript.ts';

/** A compaction that is being planned. Nothing of it is in the transcript yet. */
export interface StartedCompaction {
  readonly trigger: Trigger;
  /** Id of the strategy. */
  readonly strategy: string;
  readonly base: Base;
  /** Whoever takes the records tells what became of them. */
  readonly phases: PhaseTeller;
  readonly records: Promise<readonly [CompactionRecord, ...CompactionRecord[]]>;
}

/** Plans a compaction of what a host would send now. Transcript and settings count as they are at this moment. */
export function startCompaction(
  { transcript, tools, mark }: Pick<CompactionHost, 'transcript' | 'tools' | 'mark'>,
  ports: CompactionPorts,
  settings: CompactionSettings,
  {
    trigger,
    budget,
    choice,
    phases,
    allowance,
  }: {
    readonly trigger: Trigger;
    readonly budget: Budget;
    readonly choice: Choice;
    readonly phases: PhaseTeller;
    readonly allowance: Allowance;
  },
  signal: CancellationSignal,
): StartedCompaction {
  const { strategy = settings.strategy } = choice;
  phases.tell({ phase: 'before', strategy: strategy.id });
  const request: CompactionRequest = {
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
    mark,
  };
  // Only now, so that activation does not read it.
  const records = import('./billed-compaction.ts').then(({ compactBilled }) =>
    compactBilled(request, { ...ports, tell: phases.tell }, allowance, signal),
  );
  return { trigger, strategy: strategy.id, base: transcript, phases, records };
}
