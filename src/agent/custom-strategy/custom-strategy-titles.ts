import { declaredTitleOf } from '../../compaction/records/custom-strategy-title.ts';
import type { CustomStrategy } from '../../compaction/strategies/contract/custom-strategy.ts';
import { isRecord } from '../../language/is-record.ts';
import type { RegisteredStrategies } from './registered-strategies.ts';

/** Titles of custom strategies by name. A registered strategy declares its title; a module sends it with its plans. */
export class CustomStrategyTitles {
  private readonly registered: RegisteredStrategies;
  private readonly learned = new Map<string, string | undefined>();

  constructor(registered: RegisteredStrategies) {
    this.registered = registered;
  }

  /** @returns undefined if the strategy has no title, or if the title is not known yet */
  of(named: string): string | undefined {
    return this.registered.get(named) === undefined
      ? this.learned.get(named)
      : this.registered.titleOf(named);
  }

  /** Wraps a strategy to learn its title from its answers. */
  learning(strategy: CustomStrategy): CustomStrategy {
    const { name } = strategy;
    return {
      name,
      plan: async (...given) => {
        const answer = await strategy.plan(...given);
        this.learned.set(name, isRecord(answer) ? declaredTitleOf(answer['title']) : undefined);
        return answer;
      },
    };
  }
}
