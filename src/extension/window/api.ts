import { deepFreeze } from '../../agent/custom-strategy/authored-strategy.ts';
import type {
  RegisteredStrategies,
  RegisteredStrategy,
} from '../../agent/custom-strategy/registered-strategies.ts';

import type { PhaseEvent } from '../../compaction/service/service-ports.ts';

interface Disposable {
  dispose(): void;
}

/**
 * API that other extensions get from `activate()`. See `docs/custom-strategies.md`.
 */
export interface ContextBudgetApi {
  /** Goes up when something here changes that a caller would have to know of. */
  readonly version: 1;
  /**
   * Offers a strategy, which people choose with `contextBudget.strategies.custom`. It counts from the next compaction
   * on.
   *
   * @param strategy its id is `publisher.extension/strategy-id`
   * @returns takes the strategy back
   * @throws {TypeError} if it is not a strategy, or its id has another form
   * @throws {Error} if another one has the id
   */
  registerStrategy(strategy: RegisteredStrategy): Disposable;
  /**
   * Tells what goes on in the compactions of the active chat, as it happens: `before`, `tier-start`, `tier-end`,
   * `summary-start`, `summary-end`, `rollback` and `done`. Nothing waits for the listener.
   *
   * @returns ends it
   */
  onCompactionPhase(listener: (event: PhaseEvent) => void): Disposable;
}

/** @param follow lets a listener hear of phases until it is disposed of; what the listener throws is not its concern */
export function createApi(
  registered: RegisteredStrategies,
  follow: (listener: (event: PhaseEvent) => void) => Disposable,
): ContextBudgetApi {
  return Object.freeze({
    version: 1,
    registerStrategy: (strategy: RegisteredStrategy) => registered.register(strategy),
    // A copy each: no listener changes what the others, or the records, have.
    onCompactionPhase: (listener: (event: PhaseEvent) => void) =>
      follow((event) => listener(deepFreeze(structuredClone(event)))),
  });
}
