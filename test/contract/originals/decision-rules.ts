import { overflowOf } from '../../../src/agent/model/overflow.ts';
import { readProviderError } from '../../../src/agent/model/provider-error.ts';
import { noSession } from '../../../src/compaction/quoting/session-tags.ts';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { AttemptGuard } from '../../../src/compaction/budget/attempt-guard.ts';
import { triggerFor } from '../../../src/compaction/budget/trigger.ts';
import { CompactionFailure } from '../../../src/compaction/records/reason.ts';
import { type Message } from '../../../src/compaction/messages/message.ts';
import { openLoopReasoning } from '../../../src/compaction/strategies/steps/selective-rules.ts';
import { tailByTurnsWithin } from '../../../src/compaction/strategies/steps/tail.ts';
import { notesForm } from '../../../src/compaction/summary/summary-form.ts';
import { parseSummary } from '../../../src/compaction/summary/write-summary.ts';
import { composeRequest } from '../../../src/compaction/summary/summary-request.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { SummaryModelDouble } from '../../support/engine.ts';
import { fieldsOf, listOf, numberOf, viewOf, type OriginalCase } from './original-case.ts';
import { type Outcomes } from './plan-outcome.ts';

/** Compares a rule of an original with our counterpart. */
export type Rule = (original: OriginalCase, meter: UsageMeter) => Outcomes | Promise<Outcomes>;

export const autoCompact: Rule = ({ params, expected }) => {
  const budget = createBudget({
    window: numberOf(params['max_context_size']),
    reservedOutput: numberOf(params['reserved_context_size']),
    triggerRatio: numberOf(params['trigger_ratio']) ?? 0.85,
    targetRatio: 0.5,
  });
  const tokens = numberOf(params['token_count']) ?? 0;
  return {
    theirs: { trigger: expected['trigger'] },
    ours: { trigger: triggerFor(tokens, { messages: 0, turns: 0 }, budget) !== undefined },
  };
};

export const thinkingProtection: Rule = (original) => ({
  theirs: { protected: original.expected['thinking_protected_indexes'] },
  ours: { protected: [...openLoopReasoning(viewOf(original).map(withReasoning))] },
});

function withReasoning(message: Message): Message {
  return message.role === 'assistant' ? { ...message, reasoning: 'hm' } : message;
}

export const splitPoint: Rule = (original) => {
  const { params, expected } = original;
  const fraction = numberOf(params['fraction']) ?? 0;
  const view = viewOf(original);
  const counts = listOf(params['char_counts']).map(Number);
  const sizes = new Map(view.map(({ id }, index) => [id, counts[index] ?? 10]));
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const split = tailByTurnsWithin(view, total * (1 - fraction), sizes);
  return { theirs: { split: expected['split_index'] ?? 'refused' }, ours: { split } };
};

export function belowThreshold({ params }: OriginalCase): Outcomes {
  const window = numberOf(params['token_limit']);
  const budget = createBudget({
    window,
    triggerRatio: numberOf(params['threshold']) ?? 0.7,
    targetRatio: 0.3,
  });
  const tokens = numberOf(params['last_prompt_tokens']) ?? numberOf(params['tokens']) ?? 0;
  return {
    theirs: { trigger: numberOf(params['tokens']) !== undefined },
    ours: { trigger: triggerFor(tokens, { messages: 0, turns: 0 }, budget) !== undefined },
  };
}

export const breaker: Rule = ({ params, expected }) => {
  const guard = new AttemptGuard();
  const budget = createBudget({ window: 200_000, triggerRatio: 0.85, targetRatio: 0.5 });
  const sequence = listOf(params['sequence']).map(fieldsOf);
  if (sequence.length === 0) {
    for (let failure = 0; failure < (numberOf(params['consecutive_failures']) ?? 0); failure++)
      guard.failed(120_000, budget);
    return { theirs: { stops: true }, ours: { stops: guard.isOpen } };
  }
  const counts = sequence.map(({ force, result }) => {
    const before = guard.failures;
    // A user's request resets it first, and its failure does not count.
    if (force === false && String(result).includes('FAILED')) guard.failed(120_000, budget);
    return before;
  });
  if (expected['final_consecutive_failures'] !== undefined) {
    return {
      theirs: { failures: expected['final_consecutive_failures'] },
      ours: { failures: guard.failures },
    };
  }
  return { theirs: { failures: expected['consecutive_failures_per_call'] }, ours: { failures: counts } };
};

export const thresholds: Rule = ({ params, expected }) => {
  const budget = createBudget({
    window: numberOf(params['window']),
    triggerRatio: numberOf(params['pct']) ?? 0.7,
    targetRatio: 0.3,
    backgroundRatio: 0.6,
  });
  const { ratio = 0, reserve = 0 } = budget.thresholds;
  const warn = budget.background?.from ?? 0;
  if (expected['ordered'] !== undefined) {
    return {
      theirs: { positive: true, ordered: true },
      ours: {
        positive: warn > 0 && (budget.trigger ?? 0) > 0,
        ordered: warn <= (budget.trigger ?? 0) && (budget.trigger ?? 0) <= reserve,
      },
    };
  }
  const { warn: early, auto, hard } = expected;
  return {
    theirs: { early, auto, hard },
    ours: { early: warn, auto: Math.min(ratio, reserve), hard: reserve },
  };
};

export const outputBudget: Rule = async (original, meter) => {
  const { params, expected } = original;
  const compactionModel = fieldsOf(params['compaction_model']);
  const estimate = numberOf(params['estimate']);
  const window = numberOf(compactionModel['window']) ?? numberOf(params['window']) ?? 0;
  const model = new SummaryModelDouble('', window);
  const sources = estimate === undefined ? viewOf(original) : [];
  const { request } = await composeRequest(
    { sources, focus: undefined, form: notesForm, tagSuffix: noSession },
    model,
    meter,
  );
  const theirs = expected['value'] ?? fieldsOf(expected['llm_request_1'])['maxOutputTokens'];
  // Messages over the window are shortened before the question.
  return { theirs: { maxOutputTokens: theirs }, ours: { maxOutputTokens: request.maxOutputTokens } };
};

export const postProcess: Rule = ({ params, expected }) => {
  const unwanted = listOf(expected['not_contains']).map(String);
  let text: string;
  try {
    text = parseSummary(
      { content: String(params['raw']), finishReason: 'stop' },
      { tag: 'state_snapshot', needsTag: false },
    );
  } catch (error) {
    if (!(error instanceof CompactionFailure)) throw error;
    text = error.code;
  }
  const hasBody = String(params['raw']).includes('body');
  return {
    theirs: { says: hasBody ? 'body' : 'a request to go on', thoughts: [] },
    ours: { says: text, thoughts: unwanted.filter((thought) => text.includes(thought)) },
  };
};

export const overflow: Rule = ({ params, expected, strategy }) => {
  const found = overflowOf(readProviderError(params['message'] ?? params['error'], undefined));
  const { limit = null, actual = null } = found ?? {};
  const isParsed = strategy === 'overflow_error_parse';
  return {
    theirs: {
      recognised: expected['is_overflow'],
      ...(isParsed ? { limit: expected['limit'] ?? null, actual: expected['actual'] ?? null } : {}),
    },
    ours: { recognised: found !== undefined, limit, actual },
  };
};
