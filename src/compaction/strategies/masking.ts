import { worthwhileBatch } from '../budget/batching.ts';
import { costOf, defaultCachePrice } from '../budget/cost.ts';
import { blocksOf } from '../exchange.ts';
import { textOf, type Message } from '../message.ts';
import { referenceTo } from '../placeholder.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { resultsBefore } from './old-results.ts';
import { previewOf } from './preview.ts';
import type { StrategyInput } from './strategy.ts';
import type { Rewrite, WorkingView } from './working-view.ts';

export interface MaskingOptions {
  /** Newest tool output that stays whole, in tokens. */
  readonly protectTokens: number;
  /** Lines that a masked result keeps. */
  readonly preview: number;
  /** Tools whose results always stay. */
  readonly exemptTools: readonly string[];
}

/** Tools whose results are what the agent works by: plans, questions to the person, what memory gave back. */
export const defaultExemptTools = [
  'recall',
  'search_history',
  'update_plan',
  'todo_write',
  'TodoWrite',
  'ask_user',
];

/** Masks the results that are older than the newest so many tokens of tool output, oldest first. */
export async function maskOldResults(
  input: Pick<StrategyInput<unknown>, 'protectedIds'>,
  working: WorkingView,
  options: MaskingOptions,
  meter: UsageMeter,
): Promise<number> {
  const view = working.messages;
  const end = await startOfNewestOutput(view, options.protectTokens, meter);
  const old = await resultsBefore({ view, protectedIds: input.protectedIds }, end, meter);
  const rewrites = old
    .filter(({ tool }) => !options.exemptTools.includes(tool))
    .map(({ result, tool, tokens }): Rewrite => {
      const preview = options.preview > 0 ? `${previewOf(textOf(result.content), options.preview)}\n` : '';
      return {
        kind: 'offload',
        id: result.id,
        content: `${preview}${referenceTo(result.id, tool, tokens)}`,
        reason: 'old tool output',
      };
    });
  return working.rewrite(rewrites);
}

/**
 * How much has to be freed for a rewrite to pay, given what the rewritten view is like, in tokens.
 *
 * @param freed tokens that the rewrite frees
 */
export async function tokensThatPay(
  input: Pick<StrategyInput<unknown>, 'view' | 'budget'>,
  working: WorkingView,
  freed: number,
  meter: UsageMeter,
): Promise<number> {
  const price = input.budget.cachePrice ?? defaultCachePrice;
  const usages = await meter.measureEach(working.messages);
  const { cacheMissTokens } = costOf(input.view, working.messages, usages, freed, price);
  const calls = input.view.filter((message) => message.role === 'assistant').length;
  return worthwhileBatch(cacheMissTokens, freed / Math.max(1, calls), price);
}

/**
 * Where the newest tool output of so many tokens begins, as an index; never inside an exchange. The newest exchange
 * counts in any case: the model may not have read it yet.
 */
async function startOfNewestOutput(
  view: readonly Message[],
  tokens: number,
  meter: UsageMeter,
): Promise<number> {
  const usages = await meter.measureEach(view);
  let left = tokens;
  let start = view.length;
  for (const block of [...blocksOf(view)].reverse()) {
    if (!block.isExchange) continue;
    const size = usages.slice(block.start + 1, block.end).reduce((total, usage) => total + usage.total, 0);
    if (size > left && start < view.length) break;
    left -= size;
    start = block.start;
  }
  return start;
}
