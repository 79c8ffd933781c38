import type { CustomStrategy } from '../../compaction/strategies/contract/custom-strategy.ts';
import type { ModelChoice } from '../models/model-choice.ts';

/** What people chose, as it is now. */
export interface InspectorChoices {
  readonly model: ModelChoice;
  /** Id of the strategy. */
  readonly strategy: string;
  /** What `custom` stands for; undefined where nothing is named. */
  readonly outside: (() => Promise<CustomStrategy>) | undefined;
}
