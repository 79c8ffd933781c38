import type { Budget } from '../compaction/budget/budget.ts';
import type { CancellationSignal } from '../compaction/cancellation.ts';
import type { CompactionPorts } from '../compaction/compact.ts';
import type { Message, ToolSchema } from '../compaction/message.ts';
import type { CompactionRecord } from '../compaction/record.ts';
import type { Strategy } from '../compaction/strategies/contract/strategy.ts';
import { compactAt } from './compact-at.ts';
import { needLater, type NeedLater } from './need-later.ts';

/** What one strategy makes of a transcript. */
export interface Comparison extends Pick<
  CompactionRecord,
  'actualStrategy' | 'status' | 'reason' | 'coverage' | 'cost'
> {
  readonly strategy: string;
  /** View and tool schemas, in tokens. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What is left, 0 to 1. */
  readonly ratio: number;
  readonly durationMs: number;
  readonly needLater: NeedLater;
}

export interface ComparedTranscript {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  /** Index of the first message that is not compacted: what comes from there on is the future. */
  readonly cut: number;
}

/** Has each strategy compact the same messages as softly as a person who asks for it. */
export async function compareStrategies(
  { messages, tools, cut }: ComparedTranscript,
  strategies: readonly Strategy[],
  budget: Budget,
  ports: CompactionPorts,
  signal: CancellationSignal,
): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = [];
  const past = messages.slice(0, cut);
  // What is counted once is remembered: the first strategy should not pay for all.
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
