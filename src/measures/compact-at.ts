import type { Budget } from '../compaction/budget/budget.ts';
import type { CancellationSignal } from '../compaction/cancellation.ts';
import { compact, type CompactionPorts } from '../compaction/compact.ts';
import { repairPairs } from '../compaction/exchange.ts';
import type { Message, ToolSchema } from '../compaction/message.ts';
import type { CompactionRecord, Requirement } from '../compaction/record.ts';
import { resolveOptions } from '../compaction/strategies/contract/options.ts';
import type { Strategy } from '../compaction/strategies/contract/strategy.ts';
import { applyRecord } from '../compaction/view.ts';

/** One compaction of one view, with the options of the strategy at their defaults. */
export interface MeasuredRun {
  readonly view: readonly Message[];
  /** Everything that was said so far; the view itself where nothing was compacted before. */
  readonly history?: readonly Message[];
  readonly tools: readonly ToolSchema[];
  readonly strategy: Strategy;
  readonly budget: Budget;
  readonly requirement: Requirement;
  /** Size to come down to, tool schemas included, in tokens. */
  readonly target: number | undefined;
}

/** How a compaction ended. */
export interface MeasuredEnd {
  /** Of the strategy, or of the deterministic tier that had to follow it. */
  readonly record: CompactionRecord;
  /** The view afterwards, the one before where nothing was applied. */
  readonly view: readonly Message[];
}

/** Runs one compaction as a host does. */
export async function compactAt(
  run: MeasuredRun,
  ports: CompactionPorts,
  signal: CancellationSignal,
): Promise<MeasuredEnd> {
  const view = repairPairs(run.view);
  const { total: toolTokens } = await ports.meter.measureTools(run.tools);
  const { total } = await ports.meter.measure(view);
  const records = await compact(
    {
      view,
      history: run.history ?? view,
      tools: run.tools,
      pins: new Set(),
      protectFirst: false,
      trigger: { source: 'manual', requirement: run.requirement, tokens: toolTokens + total },
      budget: run.budget,
      target: run.target,
      strategy: run.strategy,
      options: resolveOptions(run.strategy.options, {}).options,
    },
    ports,
    signal,
  );
  const record = records.at(-1) ?? records[0];
  const isApplied = record.status === 'applied';
  return { record, view: isApplied ? repairPairs(applyRecord(view, record)) : view };
}
