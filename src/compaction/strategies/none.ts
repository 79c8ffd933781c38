import { strategySentences } from '../../language/english/strategies-english.ts';
import { defineStrategy, unchanged } from './contract/strategy.ts';

export const none = defineStrategy({
  id: 'none',
  description:
    'Never compacts. The meter still warns, and a request that the provider refuses as too long is still recovered once.',
  needsModel: false,
  options: {},
  plan: () => Promise.resolve(unchanged(strategySentences.say('neverCompacts'))),
});
