import { defaultExemptTools, maskOldResults, tokensThatPay } from './masking.ts';
import { defineStrategy, planned, unchanged } from './strategy.ts';
import { hideStale } from './stale-hiding.ts';
import { WorkingView } from './working-view.ts';

export const maskingOptions = {
  protectTokens: {
    type: 'integer',
    default: 10_000,
    minimum: 0,
    maximum: 10_000_000,
    description: 'Newest tool output that stays whole, in tokens.',
  },
  minFreedTokens: {
    type: 'integer',
    auto: true,
    default: 'auto',
    minimum: 0,
    maximum: 10_000_000,
    description:
      'Tokens that masking has to free, or it waits for more. `auto`: as many as pay for writing the prompt cache anew.',
  },
  preview: {
    type: 'integer',
    default: 3,
    minimum: 0,
    maximum: 200,
    description: 'Lines of a masked result that stay. Its exit status and error lines stay in any case.',
  },
  exemptTools: {
    type: 'texts',
    default: defaultExemptTools,
    description: 'Tools whose results always stay.',
  },
} as const;

export const observationMasking = defineStrategy({
  id: 'observation-masking',
  title: 'Observation Masking',
  description:
    'Shortens old tool output to a few lines and a reference, in batches that pay for themselves under a prompt cache; results that a newer read or an edit made stale go first. Needs no model. Keeps every message and call; loses the middle of old output until the agent recalls it.',
  needsModel: false,
  options: maskingOptions,
  async plan(input, { meter }) {
    const { options, trigger, target } = input;
    const working = new WorkingView(input, meter);
    const stale = await hideStale(input, working, meter);
    const masked = await maskOldResults(input, working, options, meter);
    const freed = stale + masked;
    if (freed === 0) return unchanged('No tool output is old and large enough to mask.');

    const isWanted = trigger.source === 'manual' || trigger.requirement === 'hard';
    const isReached = target !== undefined && working.tokens <= target;
    const least =
      options.minFreedTokens === 'auto'
        ? isWanted || isReached
          ? 0
          : await tokensThatPay(input, working, freed, meter)
        : options.minFreedTokens;
    if (freed < least) {
      return unchanged(
        `Masking would free ${freed} tokens; under the prompt cache it pays from ${Math.ceil(least)} on.`,
      );
    }
    return planned(working.plan());
  },
});
