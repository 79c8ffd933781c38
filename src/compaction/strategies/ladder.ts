import { strategySentences } from '../../language/strategies-english.ts';
import { removableMessages } from '../messages/protection.ts';
import { anchoredOptions } from './anchored-summary.ts';
import { defineStrategy, unchanged } from './contract/strategy.ts';
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
    'Cheapest first, and no further than needed: stale and repeated results, old tool output down to a few lines, long arguments of old calls, then a summary with all facts copied, and at last a fold that needs no model. Every rung that was tried is in the record.',
  needsModel: true,
  shortensEarly: true,
  options: ladderOptions,
  async plan(input, ports, signal) {
    const isEarly = input.trigger.source === 'savings';
    if (isEarly && !input.options.early) {
      return unchanged(strategySentences.say('earlyIsOff'));
    }
    const { total: removable } = await ports.meter.measure(removableMessages(input.view, input.protectedIds));
    // Only now, so that activation does not read it.
    const { Climb } = await import('./steps/ladder-climb.ts');
    const climb = new Climb(input, ports, input.tokens - removable);
    await climb.shorten();
    if (isEarly) return climb.shortened();
    if (!climb.isOver() && !climb.isAskedForMore() && (await climb.isWorthIt())) return climb.shortened();
    await climb.summarise(signal);
    if (climb.isOverTarget()) await climb.lastResort();
    return climb.done();
  },
});
