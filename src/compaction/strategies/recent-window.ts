import { defineStrategy, planned, unchanged } from './strategy.ts';
import { WorkingView } from './working-view.ts';

export const recentWindow = defineStrategy({
  id: 'recent-window',
  title: 'Recent Window',
  description:
    'Comes down to a fixed budget: drops the oldest turns, then clips tool results, then drops the steps in the middle of a turn. Needs no model. Keeps the newest turns whole as long as they fit; loses the oldest until the agent recalls them.',
  needsModel: false,
  options: {
    order: {
      type: 'choice',
      default: 'oldest-turns',
      choices: ['oldest-turns', 'newest-first'],
      description:
        '`oldest-turns` drops whole turns, oldest first, and shortens the turn that would free too much. `newest-first` keeps from the newest message back while it fits and clips the first that does not.',
    },
    budget: {
      type: 'integer',
      default: 58_000,
      minimum: 1,
      maximum: 10_000_000,
      description:
        'Size to come down to, in tokens, tool schemas included. The target of the compaction counts where it is smaller.',
    },
  },
  async plan(input, { meter }) {
    const { options, target, tokens } = input;
    const budget = Math.min(options.budget, target ?? options.budget);
    if (tokens <= budget) return unchanged(`Everything fits into the budget of ${budget} tokens.`);
    const working = new WorkingView(input, meter);
    // Only now, so that activation does not read it.
    const { dropOldestTurns, keepNewest } = await import('./recent-turns.ts');
    if (options.order === 'oldest-turns') await dropOldestTurns(input, working, budget, meter);
    else await keepNewest(input, working, budget, meter);
    return working.isChanged
      ? planned(working.plan())
      : unchanged('What is over the budget is protected or was shortened before.');
  },
});
