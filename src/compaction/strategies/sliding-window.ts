import { strategySentences } from '../../language/english/strategies-english.ts';
import type { Message } from '../messages/message.ts';
import { removableMessages } from '../messages/protection.ts';
import { turnsOf } from '../messages/exchange.ts';
import { tailInRoom } from './steps/tail.ts';
import { defineStrategy, planned, unchanged } from './contract/strategy.ts';
import { WorkingView } from './contract/working-view.ts';

export const slidingWindow = defineStrategy({
  id: 'sliding-window',
  description:
    'Keeps the newest messages that fit, starting with a request, and drops everything older. Needs no model. The newest request always stays; loses the older part until the agent recalls it.',
  needsModel: false,
  options: {
    budget: {
      type: 'integer',
      default: 0,
      minimum: 0,
      maximum: 10_000_000,
      description:
        'Size of the window in tokens, including tool definitions. 0 stands for the target of the compaction.',
    },
  },
  async plan(input, { meter }) {
    const { view, protectedIds, options, target, tokens, toolTokens, trigger } = input;
    const ceiling = trigger.requirement === 'hard' ? target : undefined;
    const budget = options.budget === 0 ? target : Math.min(options.budget, ceiling ?? options.budget);
    if (budget === undefined) return unchanged(strategySentences.say('noWindowAndNoBudget'));
    if (tokens <= budget) return unchanged(strategySentences.say('fitsBudget', { budget }));

    const working = new WorkingView(input, meter);
    const { start } = tailInRoom(view, protectedIds, budget - toolTokens, await working.sizes());
    const leaving = removableMessages(view.slice(0, fromRequestOn(view, start)), protectedIds);
    if (leaving.length === 0) return unchanged(strategySentences.say('nothingIsOlder'));
    await working.drop(
      leaving.map(({ id }) => id),
      strategySentences.say('olderThanTokens', { tokens: budget }),
    );
    return planned(working.plan());
  },
});

/**
 * Returns the index of the first request in the window, so that the window begins with a request. Without a request,
 * returns the start of the window.
 */
function fromRequestOn(view: readonly Message[], start: number): number {
  const turn = turnsOf(view).find((candidate) => candidate.start >= start);
  return turn?.start ?? start;
}
