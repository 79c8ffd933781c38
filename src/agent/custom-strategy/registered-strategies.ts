import { ownTitleOf } from '../../compaction/records/own-title.ts';
import { type AuthoredStrategy, isStrategy } from './authored-strategy.ts';

/** A strategy that another extension brings. */
export interface RegisteredStrategy extends AuthoredStrategy {
  /** `publisher.extension/strategy-id` */
  readonly id: string;
}

/** The strategies that other extensions have registered, as long as they have. */
export class RegisteredStrategies {
  private readonly known = new Map<string, RegisteredStrategy>();
  private readonly titles = new Map<string, string | undefined>();

  /**
   * @throws {TypeError} if it is not a strategy, or its id has another form
   * @throws {Error} if another one has the id
   */
  register(strategy: RegisteredStrategy): { dispose(): void } {
    const { id, title } = strategy;
    if (typeof id !== 'string' || !isRegisteredId(id)) {
      throw new TypeError(
        `A strategy needs an id "publisher.extension/strategy-id", not ${JSON.stringify(id)}.`,
      );
    }
    if (!isStrategy(strategy)) throw new TypeError('A strategy needs a method plan(input, ports, signal).');
    if (this.known.has(id)) throw new Error(`There is a strategy ${id} already.`);
    this.known.set(id, strategy);
    this.titles.set(id, ownTitleOf(title));
    return {
      dispose: () => {
        if (this.known.get(id) === strategy) this.known.delete(id);
      },
    };
  }

  /** The strategy of an id, if an extension has it registered now. */
  get(id: string): RegisteredStrategy | undefined {
    return this.known.get(id);
  }

  /** The title that a registered strategy has declared, fit to be shown. */
  titleOf(id: string): string | undefined {
    return this.known.has(id) ? this.titles.get(id) : undefined;
  }

  /** Ids of all that are registered now. */
  get ids(): readonly string[] {
    return [...this.known.keys()];
  }
}

/** `publisher.extension/strategy-id` */
const registeredId = /^[\w-]+\.[\w-]+\/[\w.-]+$/;

/** True if a strategy can be registered under an id. */
export function isRegisteredId(id: string): boolean {
  return registeredId.test(id);
}

/** Maximum time for a custom strategy, in milliseconds, including the time it waits for a model. */
export const defaultDeadline = 120_000;
