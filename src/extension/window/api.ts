import { deepFreeze } from '../../agent/custom-strategy/strategy-implementation.ts';
import type {
  RegisteredStrategies,
  RegisteredStrategy,
} from '../../agent/custom-strategy/registered-strategies.ts';

import type { PhaseEvent } from '../../compaction/service/service-ports.ts';

interface Disposable {
  dispose(): void;
}

/** API that other extensions get from `activate()`. See `docs/custom-strategies.md`. */
export interface ContextBudgetApi {
  /** Version of this API. It increases with each incompatible change. */
  readonly version: 1;
  /**
   * Offers a strategy, which users choose with `contextBudget.strategies.custom`. Applies from the next compaction.
   *
   * @param strategy its id has the form `publisher.extension/strategy-id`
   * @returns a disposable that removes the strategy
   * @throws {TypeError} if it is not a strategy, or its id has another form
   * @throws {Error} if the id is taken
   */
  registerStrategy(strategy: RegisteredStrategy): Disposable;
  /**
   * Reports the phases of the active chat's compactions: `before`, `tier-start`, `tier-end`, `summary-start`,
   * `summary-end`, `rollback` and `done`. Compactions do not wait for the listener.
   *
   * @returns a disposable that removes the listener
   */
  onCompactionPhase(listener: (event: PhaseEvent) => void): Disposable;
}

/** @param follow reports phases to a listener until it is disposed, and handles the listener's errors */
export function createApi(
  registered: RegisteredStrategies,
  follow: (listener: (event: PhaseEvent) => void) => Disposable,
): ContextBudgetApi {
  return Object.freeze({
    version: 1,
    registerStrategy: (strategy: RegisteredStrategy) => registered.register(strategy),
    // Each listener gets its own copy, so that it cannot change the records.
    onCompactionPhase: (listener: (event: PhaseEvent) => void) =>
      follow((event) => listener(deepFreeze(structuredClone(event)))),
  });
}
