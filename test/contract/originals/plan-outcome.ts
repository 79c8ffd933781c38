import { noSession } from '../../../src/compaction/quoting/session-tags.ts';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { CompactionFailure } from '../../../src/compaction/records/reason.ts';
import { textOf, type Message } from '../../../src/compaction/messages/message.ts';
import type { PlannedAction } from '../../../src/compaction/records/plan.ts';
import { memoryIds, protectedIds } from '../../../src/compaction/messages/protection.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import type { Strategy } from '../../../src/compaction/strategies/contract/strategy.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { SummaryModelDouble } from '../../support/engine.ts';
import { textIn, type OriginalCase } from './original-case.ts';
import { shapeAfter, shapeExpected } from './original-shape.ts';

/** Outcomes of a case, by name. */
export type Outcome = Readonly<Record<string, unknown>>;

/** The outcome of an original and of ours, with the same names on both sides. */
export interface Outcomes {
  readonly theirs: Outcome;
  readonly ours: Outcome;
}

export interface Planned {
  readonly strategy: Strategy;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly view: readonly Message[];
  readonly meter: UsageMeter;
  readonly target?: number;
  readonly window?: number;
  readonly focus?: string;
  /** Set if an original keeps the first request. */
  readonly protectFirst?: boolean;
}

export interface PlanOutcome {
  readonly compacted: boolean;
  readonly view: string;
  readonly calls: number;
  readonly failure: string | undefined;
  readonly actions: readonly PlannedAction[];
  readonly model: SummaryModelDouble;
}

/**
 * Has a strategy plan, and returns the resulting view. Skips the acceptance checks, which would refuse most
 * of the originals' inputs, because these are smaller than any summary.
 */
export async function planOutcome(
  { replies }: Pick<OriginalCase, 'replies'>,
  { strategy, options = {}, view, meter, target, window = 128_000, focus, protectFirst = false }: Planned,
): Promise<PlanOutcome> {
  const model = modelSaying(replies);
  const budget = createBudget({ window, triggerRatio: 0.85, targetRatio: 0.5 });
  const tokens = (await meter.measureEach(view)).reduce((total, usage) => total + usage.total, 0);
  const input = {
    view,
    history: view,
    protectedIds: protectedIds(view, { pins: new Set(), protectFirst }),
    memoryIds: memoryIds(view, new Set()),
    budget,
    trigger: { source: 'manual', requirement: 'soft', tokens },
    tokens,
    toolTokens: 0,
    tools: [],
    target: target ?? budget.target,
    limit: undefined,
    options: resolveOptions(strategy.options, options).options,
    focus,
    tagSuffix: noSession,
  } as const;
  const ended = (actions: readonly PlannedAction[], failure?: string): PlanOutcome => ({
    compacted: actions.length > 0,
    view: shapeAfter(view, actions),
    calls: model.requests.length,
    failure,
    actions,
    model,
  });
  try {
    const result = await strategy.plan(input, { meter, model: () => model }, new AbortController().signal);
    return ended(result.kind === 'plan' ? result.plan.actions : []);
  } catch (error) {
    if (!(error instanceof CompactionFailure)) throw error;
    return ended([], error.code);
  }
}

/** Both outcomes, with the messages and calls that the case expects. */
export async function compared(original: OriginalCase, planned: Planned): Promise<Outcomes> {
  const ours = await planOutcome(original, planned);
  return { theirs: expectedOutcome(original), ours: { ...ours, result: resultOf(ours) } };
}

/** The result, the view and the number of requests to a model, as far as the case states them. */
export function expectedOutcome(original: OriginalCase): Outcome {
  const { expected } = original;
  const view = shapeExpected(original);
  const result = expected['status'] === undefined ? {} : { result: statuses[textIn(expected['status'])] };
  return {
    ...(typeof expected['compacted'] === 'boolean' ? { compacted: expected['compacted'] } : {}),
    ...(view === undefined ? {} : { view }),
    ...(typeof expected['llm_calls'] === 'number' ? { calls: expected['llm_calls'] } : {}),
    ...result,
  };
}

const statuses: Readonly<Record<string, string>> = {
  COMPRESSED: 'applied',
  NOOP: 'unchanged',
  COMPRESSION_FAILED_EMPTY_SUMMARY: 'summary-whitespace',
  COMPRESSION_FAILED_INFLATED_TOKEN_COUNT: 'larger',
};

function resultOf({ compacted, failure }: PlanOutcome): string {
  return failure ?? (compacted ? 'applied' : 'unchanged');
}

/** Returns the replies in turn, in the requested tag unless they have tags. */
function modelSaying(replies: readonly string[]): SummaryModelDouble {
  let asked = 0;
  return new SummaryModelDouble(({ tag }) => {
    const reply = replies[Math.min(asked++, replies.length - 1)] ?? 'Notes.';
    if (reply.startsWith('$error')) return new Error('500');
    const isPlain = reply.trim() !== '' && !/[<{]/.test(reply);
    return { content: isPlain ? `<${tag}>${reply}</${tag}>` : reply, finishReason: 'stop' };
  });
}

/** Everything that was sent to a model. */
export function sentTo(model: SummaryModelDouble): string {
  return model.requests.map(({ instructions, prompt }) => `${instructions}\n${prompt}`).join('\n');
}

/** Texts by which a plan replaces messages. */
export function textsOf(actions: readonly PlannedAction[]): string {
  return actions
    .map((action) => {
      if (action.kind === 'summarise' || action.kind === 'insert') return action.text;
      if (action.kind === 'clip') return textOf(action.content ?? null);
      return action.kind === 'drop' ? '' : action.placeholder;
    })
    .join('\n');
}
