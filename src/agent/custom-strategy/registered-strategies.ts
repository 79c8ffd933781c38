import { declaredTitleOf } from '../../compaction/records/custom-strategy-title.ts';
import { type StrategyImplementation, isStrategy } from './strategy-implementation.ts';

/** A strategy that another extension offers. */
export interface RegisteredStrategy extends StrategyImplementation {
  readonly id: string;
}

/** The strategies that other extensions have registered and not yet removed. */
export class RegisteredStrategies {
  private readonly known = new Map<string, RegisteredStrategy>();
  private readonly titles = new Map<string, string | undefined>();

  /** @throws {TypeError} for a malformed strategy or id @throws {Error} if the id is taken */
  register(strategy: RegisteredStrategy): { dispose(): void } {
    const { id, title } = strategy;
    if (typeof id !== 'string' || !isRegisteredId(id)) {
      throw new TypeError(
        `A strategy needs an id "publisher.extension/strategy-id", not ${JSON.stringify(id)}.`,
      );
    }
    if (!isStrategy(strategy)) throw new TypeError('A strategy needs a method plan(input, ports, signal).');
    if (this.known.has(id)) throw new Error(`The strategy ${id} is already registered.`);
    this.known.set(id, strategy);
    this.titles.set(id, declaredTitleOf(title));
    return {
      dispose: () => {
        if (this.known.get(id) === strategy) this.known.delete(id);
      },
    };
  }

  get(id: string): RegisteredStrategy | undefined {
    return this.known.get(id);
  }

  /** Returns the declared title of a registered strategy, without unsafe characters. */
  titleOf(id: string): string | undefined {
    return this.known.has(id) ? this.titles.get(id) : undefined;
  }

  get ids(): readonly string[] {
    return [...this.known.keys()];
  }
}

const registeredId = /^[\w-]+\.[\w-]+\/[\w.-]+$/;

/** True if an id has the form that registration requires. */
export function isRegisteredId(id: string): boolean {
  return registeredId.test(id);
}

/** Maximum time for a custom strategy, in milliseconds, including the time it waits for a model. */
export const defaultDeadline = 120_000;
