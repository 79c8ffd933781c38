import { catalogue } from '../../compaction/strategies/index.ts';
import type { Strategy } from '../../compaction/strategies/contract/strategy.ts';
import { choiceTexts, type ChoiceText } from './choice-texts.ts';
import { section } from './configuration.ts';

/** A strategy as people read of it. */
export interface StrategyText extends ChoiceText {
  readonly id: string;
}

/** The strategies in the order of the catalogue, in the language of the editor. */
export function strategyTexts(): readonly StrategyText[] {
  const texts = choiceTexts(`${section}.strategy`);
  const strategies: readonly Strategy[] = Object.values(catalogue);
  return strategies.map(({ id, title, description }) => ({ id, title, description, ...texts.get(id) }));
}
