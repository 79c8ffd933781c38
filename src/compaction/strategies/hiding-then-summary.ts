import { llmSummary, summaryOptions } from './llm-summary.ts';
import { defineStrategy, planned } from './contract/strategy.ts';
import { hidingOptions, planHiding } from './tool-result-hiding.ts';

export const hidingThenSummary = defineStrategy({
  id: 'hiding-then-summary',
  description:
    'Hides old tool results first; when that frees too little, a model summarises everything before the newest messages instead. Cheap as long as tool results fill most of the window.',
  needsModel: true,
  options: {
    ...hidingOptions,
    ...summaryOptions,
    minFreedTokens: {
      type: 'integer',
      default: 10_000,
      minimum: 0,
      maximum: 10_000_000,
      description:
        'Minimum number of tokens that hiding must free; otherwise a summary follows. With 0, a summary follows only if nothing was hidden.',
    },
  },
  async plan(input, ports, signal) {
    const { actions, freedTokens } = await planHiding(input, ports);
    const isEnough = actions.length > 0 && freedTokens >= input.options.minFreedTokens;
    const mustReach = input.trigger.requirement === 'hard' ? input.target : undefined;
    const isReached = mustReach === undefined || input.tokens - freedTokens <= mustReach;
    return isEnough && isReached ? planned({ actions }) : llmSummary.plan(input, ports, signal);
  },
});
