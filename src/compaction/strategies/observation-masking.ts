import { strategySentences } from '../../language/english/strategies-english.ts';
import { isAsked } from '../records/record.ts';
import { defineStrategy, planned, unchanged } from './contract/strategy.ts';
import { WorkingView } from './contract/working-view.ts';

/** Tools whose results guide the agent: plans, questions to the user, recalled text. */
const defaultExemptTools = ['recall', 'search_history', 'update_plan', 'todo_write', 'TodoWrite', 'ask_user'];

export const maskingOptions = {
  protectTokens: {
    type: 'integer',
    auto: true,
    default: 'auto',
    minimum: 0,
    maximum: 10_000_000,
    keepsNewest: true,
    description:
      'Amount of the newest tool output that stays whole, in tokens. `auto`: 10,000, or 15% of the window if that is less.',
  },
  minFreedTokens: {
    type: 'integer',
    auto: true,
    default: 'auto',
    minimum: 0,
    maximum: 10_000_000,
    description:
      'Minimum number of tokens masking must free; below it, masking waits. `auto`: enough to pay for rewriting the prompt cache within five calls.',
  },
  preview: {
    type: 'integer',
    default: 3,
    minimum: 0,
    maximum: 200,
    description: 'Number of lines that stay of a masked result. Its exit status and error lines always stay.',
  },
  exemptTools: {
    type: 'texts',
    default: defaultExemptTools,
    description: 'Tools whose results always stay.',
  },
  early: {
    type: 'boolean',
    default: true,
    description: 'Compacts before the window fills up, too, if that pays for itself within five calls.',
  },
} as const;

export const observationMasking = defineStrategy({
  id: 'observation-masking',
  description:
    'Shortens old tool output to a few lines and a reference, in batches large enough to pay for themselves under a prompt cache; results that a newer one replaces go first. Needs no model. Keeps every message and call; loses the middle of old output until the agent recalls it.',
  needsModel: false,
  options: maskingOptions,
  async plan(input, { meter }) {
    const { options, trigger, target } = input;
    const isEarly = trigger.source === 'savings';
    const { hideStale } = await import('./steps/old-results.ts');
    const { maskOldResults, paybackOf, protectedTokens } = await import('./steps/masking.ts');
    const working = new WorkingView(input, meter);
    await hideStale(input, working, meter);
    const protectTokens = protectedTokens(options.protectTokens, input.budget.window);
    const isOver = !isEarly && target !== undefined && input.tokens > target;
    const until = isOver && options.minFreedTokens === 'auto' ? target : 0;
    await maskOldResults(input.protectedIds, working, { ...options, protectTokens, until }, meter);
    const freed = input.tokens - working.tokens;
    if (freed === 0) return unchanged(strategySentences.say('noOutputToMask'));

    const isWanted = isAsked(trigger) || trigger.requirement === 'hard';
    const isReached = !isEarly && target !== undefined && working.tokens <= target;
    if (options.minFreedTokens !== 'auto') {
      if (freed >= options.minFreedTokens || trigger.requirement === 'hard') return planned(working.plan());
      return unchanged(
        strategySentences.say('maskingFreesTooLittle', { freed, least: options.minFreedTokens }),
      );
    }
    if (isWanted || isReached) return planned(working.plan());
    const { pays, objection } = await paybackOf(input, working, meter);
    return pays ? planned(working.plan()) : unchanged(objection);
  },
});
