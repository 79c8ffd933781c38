import type { Budget } from '../compaction/budget/budget.ts';
import type { CancellationSignal } from '../compaction/signals/cancellation.ts';
import { compact, type CompactionPorts } from '../compaction/service/compact.ts';
import { repairPairs } from '../compaction/messages/exchange.ts';
import type { Message, ToolSchema } from '../compaction/messages/message.ts';
import type { CompactionRecord, Requirement } from '../compaction/records/record.ts';
import { resolveOptions } from '../compaction/strategies/contract/options.ts';
import type { Strategy } from '../compaction/strategies/contract/strategy.ts';
import { applyRecord } from '../compaction/transcript/view.ts';
import { needLater, type NeedLater } from './need-later.ts';

export interface Comparison extends Pick<
  CompactionRecord,
  'actualStrategy' | 'status' | 'reason' | 'coverage' | 'cost'
> {
  readonly strategy: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly ratio: number;
  readonly durationMs: number;
  readonly needLater: NeedLater;
}

interface ComparedTranscript {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  /** Index of the first message that is not compacted. It and all later messages are the future. */
  readonly cut: number;
}

/** Has each strategy compact the same messages, with the soft requirement of a manual compaction. */
export async function compareStrategies(
  { messages, tools, cut }: ComparedTranscript,
  strategies: readonly Strategy[],
  budget: Budget,
  ports: CompactionPorts,
  signal: CancellationSignal,
): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = [];
  const past = messages.slice(0, cut);
  // Fills the cache of counts, so that the first strategy does not pay for all.
  await ports.meter.measure(past);
  for (const strategy of strategies) {
    const { record, view } = await compactAt(
      { view: past, tools, strategy, budget, requirement: 'soft', target: budget.target },
      ports,
      signal,
    );
    const { actualStrategy, status, reason, before, after, coverage, cost, durationMs } = record;
    comparisons.push({
      strategy: strategy.id,
      actualStrategy,
      status,
      ...(reason === undefined ? {} : { reason }),
      tokensBefore: before.tokens,
      tokensAfter: after.tokens,
      ratio: before.tokens === 0 ? 1 : after.tokens / before.tokens,
      durationMs,
      coverage,
      needLater: needLater(messages, cut, view),
      cost,
    });
  }
  return comparisons;
}

/** A compaction of one view, with the options of the strategy at their defaults. */
interface MeasuredRun {
  readonly view: readonly Message[];
  /** All original messages so far; the view if nothing was compacted before. */
  readonly history?: readonly Message[];
  readonly tools: readonly ToolSchema[];
  readonly strategy: Strategy;
  readonly budget: Budget;
  readonly requirement: Requirement;
  /** Target size in tokens, including tool schemas. */
  readonly target: number | undefined;
}

interface MeasuredEnd {
  readonly record: CompactionRecord;
  readonly view: readonly Message[];
}

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
  return { record, view: record.status === 'applied' ? repairPairs(applyRecord(view, record)) : view };
}

/**
 * Returns the index of the first message after a share (0 to 1) of a transcript, moved back to the start of an
 * exchange.
 */
export function cutAt(messages: readonly Message[], share: number): number {
  let cut = Math.min(messages.length, Math.max(0, Math.round(messages.length * share)));
  while (cut > 0 && messages[cut]?.role === 'tool') cut--;
  return cut;
}
