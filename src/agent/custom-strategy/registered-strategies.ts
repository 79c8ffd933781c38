import {
  type CancellationSignal,
  orCancelled,
  throwIfCancelled,
} from '../../compaction/signals/cancellation.ts';
import { CompactionFailure, phraseOf } from '../../compaction/records/reason.ts';
import { customSentences } from '../../language/custom-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import type {
  CustomInput,
  CustomStrategy,
  EnginePorts,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import type { Phrase, ReasonCode } from '../../compaction/records/record.ts';
import { type AuthoredStrategy, deepFreeze, isStrategy } from './instantiate.ts';

/** A strategy that another extension brings. */
export interface RegisteredStrategy extends AuthoredStrategy {
  /** `publisher.extension/strategy-id` */
  readonly id: string;
}

/** The strategies that other extensions have registered, as long as they have. */
export class RegisteredStrategies {
  private readonly known = new Map<string, RegisteredStrategy>();

  /**
   * @throws {TypeError} if it is not a strategy, or its id has another form
   * @throws {Error} if another one has the id
   */
  register(strategy: RegisteredStrategy): { dispose(): void } {
    const { id } = strategy;
    if (typeof id !== 'string' || !isRegisteredId(id)) {
      throw new TypeError(
        `A strategy needs an id "publisher.extension/strategy-id", not ${JSON.stringify(id)}.`,
      );
    }
    if (!isStrategy(strategy)) throw new TypeError('A strategy needs a method plan(input, ports, signal).');
    if (this.known.has(id)) throw new Error(`There is a strategy ${id} already.`);
    this.known.set(id, strategy);
    return {
      dispose: () => {
        if (this.known.get(id) === strategy) this.known.delete(id);
      },
    };
  }

  /**
   * @param deadline in milliseconds
   * @throws {CompactionFailure} `custom-missing` if no extension has it registered now
   */
  find(id: string, deadline: number): CustomStrategy {
    const strategy = this.known.get(id);
    if (strategy === undefined) {
      const ids = [...this.known.keys()].join(', ') || customSentences.say('none');
      const problem = customSentences.say('notRegistered', { ids });
      throw new CompactionFailure('custom-missing', customSentences.say('named', { name: id, problem }));
    }
    return {
      name: id,
      plan: (input, ports, signal) => run(strategy, input, ports, deadline, signal),
    };
  }
}

/** Gives it a copy of the input. It runs on our thread, so an endless loop cannot be stopped. */
async function run(
  strategy: RegisteredStrategy,
  input: CustomInput,
  enginePorts: EnginePorts,
  deadline: number,
  signal: CancellationSignal,
): Promise<unknown> {
  throwIfCancelled(signal);
  // Few people have such a strategy, and activation reads this file.
  const { completePorts } = await import('./strategy-ports.ts');
  const failure = (code: ReasonCode, problem: Phrase, cause?: unknown) =>
    new CompactionFailure(code, customSentences.say('named', { name: strategy.id, problem }), { cause });
  const stopper = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    const planned = new Promise<unknown>((resolve, reject) => {
      timer = setTimeout(() => {
        reject(failure('custom-timeout', timeUp(deadline)));
      }, deadline);
      const copy = deepFreeze(structuredClone(input));
      const answer = new Promise((done) =>
        done(strategy.plan(copy, completePorts(enginePorts), stopper.signal)),
      );
      answer.then(resolve, (error: unknown) => {
        reject(error instanceof CompactionFailure ? error : failure('custom-failed', phraseOf(error), error));
      });
    });
    return await orCancelled(planned, signal);
  } finally {
    clearTimeout(timer);
    stopper.abort();
  }
}

/** Reference to a custom strategy. */
export type StrategyReference =
  | { readonly kind: 'module'; readonly path: string; readonly exportName: string }
  | { readonly kind: 'registered'; readonly id: string };

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** `publisher.extension/strategy-id` */
const registeredId = /^[\w-]+\.[\w-]+\/[\w.-]+$/;

/** True if a strategy can be registered under an id. */
export function isRegisteredId(id: string): boolean {
  return registeredId.test(id);
}

/**
 * Reads what `contextBudget.strategies.custom` or `--custom` says: `./path/file.mjs#ExportName`, or the id of a
 * strategy that another extension registered.
 *
 * @throws {CompactionFailure} `custom-missing` if it is neither
 */
export function readReference(text: string): StrategyReference {
  if (isRegisteredId(text)) return { kind: 'registered', id: text };
  const hash = text.lastIndexOf('#');
  const path = text.slice(0, hash);
  const exportName = text.slice(hash + 1);
  if (hash > 0 && identifier.test(exportName)) return { kind: 'module', path, exportName };
  const given = text.trim() === '' ? customSentences.say('empty') : JSON.stringify(text);
  throw new CompactionFailure('custom-missing', customSentences.say('invalidReference', { given }));
}

/** Maximum time for a custom strategy, in milliseconds, including the time it waits for a model. */
export const defaultDeadline = 120_000;

/** @param deadline in milliseconds */
export function timeUp(deadline: number): Sentence {
  return customSentences.say('tookTooLong', { seconds: deadline / 1000 });
}
