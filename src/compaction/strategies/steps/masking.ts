import { strategySentences } from '../../../language/english/strategies-english.ts';
import { costOf } from '../../budget/budget.ts';
import { referenceTo } from '../../text/placeholder.ts';
import type { UsageMeter } from '../../tokens/usage.ts';
import type { StrategyInput } from '../contract/strategy.ts';
import type { Rewrite } from '../contract/rewrite.ts';
import type { WorkingView } from '../contract/working-view.ts';
import { resultsBefore } from './old-results.ts';
import { previewOf } from './result-preview.ts';
import { openWork } from './open-work.ts';
import { tailByOutput } from './tail.ts';

export interface MaskingOptions {
  readonly protectTokens: number;
  readonly preview: number;
  readonly exemptTools: readonly string[];
  /** True to treat all results of answered requests as old once the newest request has results. */
  readonly masksAnswered?: boolean;
  readonly until?: number;
}

/** Masks old results, oldest first. The newest tool output stays, up to a number of tokens. */
export async function maskOldResults(
  protectedIds: ReadonlySet<string>,
  working: WorkingView,
  options: MaskingOptions,
  meter: UsageMeter,
): Promise<number> {
  const view = working.messages;
  const { start, hasResults, sought } = openWork(view);
  const newest = await tailByOutput(view, options.protectTokens, meter);
  const end = options.masksAnswered === true && hasResults ? Math.max(start, newest) : newest;
  const old = await resultsBefore({ view, protectedIds }, end, meter);
  const isOpen = new Set(view.slice(start).map(({ id }) => id));
  const reason = strategySentences.say('oldToolOutput');
  const rewrites = old
    .filter(({ tool }) => !options.exemptTools.includes(tool))
    .map(({ result, tool, tokens }): Rewrite => {
      const names = isOpen.has(result.id) ? sought : [];
      const preview = options.preview > 0 ? `${previewOf(result, options.preview, names)}\n` : '';
      const content = `${preview}${referenceTo(result.id, tool, tokens)}`;
      return { kind: 'offload', id: result.id, content, reason };
    });
  return working.rewrite(rewrites, options.until);
}

const patience = 5;

/** Decides whether a rewrite pays for itself within a few calls, so that rewrites wait for a large batch. */
export async function paybackOf(
  input: Pick<StrategyInput<unknown>, 'view' | 'budget' | 'tokens'>,
  working: WorkingView,
  meter: UsageMeter,
) {
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
        ? strategySentences.say('neverPays', { freed, rewritten: cacheMissTokens })
        : strategySentences.say('paysTooLate', { freed, rewritten: cacheMissTokens, calls: breakEvenCalls }),
  };
}

/** Window share of tool output that stays whole, if `auto`. Small windows need more, for a few files. */
const protectedShare = 0.08;
const protectedShareOfSmall = 0.15;
const fewFiles = 10_000;

export function protectedTokens(chosen: number | 'auto', window: number | undefined): number {
  if (chosen !== 'auto') return chosen;
  if (window === undefined) return fewFiles;
  return Math.floor(Math.max(Math.min(fewFiles, window * protectedShareOfSmall), window * protectedShare));
}
