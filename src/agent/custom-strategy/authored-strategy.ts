import type { CustomInput, CustomPorts } from '../../compaction/strategies/contract/custom-strategy.ts';
import { isRecord } from '../../language/is-record.ts';
import { CompactionFailure } from '../../compaction/records/reason.ts';
import { customSentences } from '../../language/english/custom-english.ts';
import type { Sentence } from '../../language/sentence.ts';

/** The part of the contract that a strategy's author writes. Ports come a second time with each plan. */
export interface AuthoredStrategy {
  /** Short title that people read instead of the name; one line. */
  readonly title?: string;
  /** @returns `{ kind: 'plan', plan: { actions } }` or `{ kind: 'unchanged', reason }` */
  plan(input: CustomInput, ports: CustomPorts, signal: AbortSignal): unknown;
}

/** True if a value has what the contract asks for. */
export function isStrategy(value: unknown): value is AuthoredStrategy {
  return isRecord(value) && typeof value['plan'] === 'function';
}

/** An answer of a strategy, with the title that it declares beside its plan. */
export function titledAnswer({ title }: AuthoredStrategy, answer: unknown): unknown {
  return title === undefined || !isRecord(answer) ? answer : { ...answer, title };
}

/** Freezes plain data and everything in it, however deep. @returns the same value */
export function deepFreeze<T>(value: T): T {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const part of Object.values(next)) waiting.push(part);
  }
  return value;
}

/**
 * Makes a strategy of what a module exports: a class, or a function that returns one. What its static `inject` list
 * names is handed to it, in that order.
 *
 * @throws {CompactionFailure} `custom-invalid` if the export is no such thing; whatever the export itself throws
 */
export async function instantiate(exported: unknown, ports: CustomPorts): Promise<AuthoredStrategy> {
  if (typeof exported !== 'function') throw invalid(customSentences.say('noFunction'));
  const inject: unknown = Reflect.get(exported, 'inject') ?? [];
  if (!Array.isArray(inject)) throw invalid(customSentences.say('injectNoList', { ports: names(ports) }));
  const dependencies = inject.map((name: unknown): unknown => {
    if (typeof name !== 'string' || !Object.hasOwn(ports, name)) {
      throw invalid(
        customSentences.say('injectUnknown', { name: JSON.stringify(name), ports: names(ports) }),
      );
    }
    return ports[name as keyof CustomPorts];
  });
  const isClass = /^class\b/.test(Function.prototype.toString.call(exported));
  const made: unknown = isClass
    ? Reflect.construct(exported, dependencies)
    : await (exported as (...given: readonly unknown[]) => unknown)(...dependencies);
  if (!isStrategy(made)) throw invalid(customSentences.say('noPlanMethod'));
  return made;
}

function names(ports: CustomPorts): string {
  return Object.keys(ports).join(', ');
}

function invalid(problem: Sentence): CompactionFailure {
  return new CompactionFailure('custom-invalid', problem);
}
