import type {
  RegisteredStrategies,
  RegisteredStrategy,
} from '../agent/custom-strategy/registered-strategies.ts';

/**
 * What other extensions get from `activate()`. See `docs/custom-strategies.md`.
 */
export interface ContextBudgetApi {
  /** Goes up when something here changes that a caller would have to know of. */
  readonly version: 1;
  /**
   * Offers a strategy, which people choose with `contextBudget.customStrategy`. It counts from the next compaction on.
   *
   * @param strategy its id is `publisher.extension/strategy-id`
   * @returns takes the strategy back
   * @throws {TypeError} where it is no strategy, or its id has another form
   * @throws {Error} where another one has the id
   */
  registerStrategy(strategy: RegisteredStrategy): { dispose(): void };
}

export function createApi(registered: RegisteredStrategies): ContextBudgetApi {
  return Object.freeze({
    version: 1,
    registerStrategy: (strategy: RegisteredStrategy) => registered.register(strategy),
  });
}
