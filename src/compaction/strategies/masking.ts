import { costOf } from '../budget/cost.ts';
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

/** Calls within which a rewrite that nothing else calls for has to pay for itself. */
const patience = 5;

/** What a rewrite of old messages costs and saves under the prompt cache, and whether it is worth it by itself. */
export interface Payback {
  readonly pays: boolean;
  /** Calls until it has paid; infinite where it never does. */
  readonly calls: number;
  /** Why it does not, a sentence. */
  readonly objection: string;
}

/**
 * Whether a rewrite pays for itself within a few calls. How many calls a session will still have nobody knows;
 * waiting until a batch is large makes the number needed small, and a rewrite at every call never pays.
 */
export async function paybackOf(
  input: Pick<StrategyInput<unknown>, 'view' | 'budget' | 'tokens'>,
  working: WorkingView,
  meter: UsageMeter,
): Promise<Payback> {
  const usages = await meter.measureEach(working.messages);
  const freed = input.tokens - working.tokens;
  const { cacheMissTokens, breakEvenCalls } = costOf(
    input.view,
    working.messages,
    usages,
    freed,
    input.budget.cachePrice,
  );
  return {
    pays: breakEvenCalls !== null && breakEvenCalls <= patience,
    calls: breakEvenCalls ?? Number.POSITIVE_INFINITY,
    objection:
      breakEvenCalls === null
        ? `It would free ${freed} tokens and have ${cacheMissTokens} written to the prompt cache anew, which never pays.`
        : `It would free ${freed} tokens and have ${cacheMissTokens} written to the prompt cache anew, which pays only after ${breakEvenCalls} calls.`,
  };
}

/** Newest tool output that stays whole where the option leaves it to us: in tokens, and as a share of the window. */
const largestProtected = 10_000;
const protectedShare = 0.15;

/** The newest tool output that stays whole, in tokens. A small window has no room for as much as a large one. */
export function protectedTokens(chosen: number | 'auto', window: number | undefined): number {
  if (chosen !== 'auto') return chosen;
  return Math.min(largestProtected, Math.floor((window ?? Number.POSITIVE_INFINITY) * protectedShare));
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
