import { anchoredOptions } from './anchored-summary.ts';
import { defineStrategy } from './contract/strategy.ts';
import { maskingOptions } from './observation-masking.ts';

const ladderOptions = {
  protectTokens: maskingOptions.protectTokens,
  preview: maskingOptions.preview,
  exemptTools: maskingOptions.exemptTools,
  early: maskingOptions.early,
  ...anchoredOptions,
} as const;

export const ladder = defineStrategy({
  id: 'ladder',
  description:
    'Takes the cheapest step first and stops when the target is met: removes stale and repeated results, shortens old tool output to a few lines, clips long arguments of old calls, then writes a summary with all facts copied, and finally folds messages without a model. The record lists every step tried.',
  needsModel: true,
  options: ladderOptions,
  async plan(input, ports, signal) {
    const { startClimb } = await import('./steps/ladder-climb.ts');
    const climb = await startClimb(input, ports);
    await climb.shorten();
    if (input.trigger.source === 'savings') return climb.shortened();
    if (!climb.isOver() && !climb.isAskedForMore() && (await climb.isWorthIt())) return climb.shortened();
    await climb.summarise(signal);
    if (climb.isOver()) await climb.lastResort();
    return climb.done();
  },
});
