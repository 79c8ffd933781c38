import type { CustomInput, CustomPorts } from '../../compaction/strategies/contract/custom-strategy.ts';
import { isRecord } from '../../language/is-record.ts';
import { CompactionFailure } from '../../compaction/records/reason.ts';
import { customSentences } from '../../language/english/custom-english.ts';
import type { Sentence } from '../../language/sentence.ts';

/** The part of the contract that the author of a strategy writes. `plan` gets the same ports as the constructor. */
export interface StrategyImplementation {
  /** Short title in one line, shown instead of the name. */
  readonly title?: string;
  /** @returns `{ kind: 'plan', plan: { actions } }` or `{ kind: 'unchanged', reason }` */
  plan(input: CustomInput, ports: CustomPorts, signal: AbortSignal): unknown;
}

/** True if a value meets the contract. */
export function isStrategy(value: unknown): value is StrategyImplementation {
  return isRecord(value) && typeof value['plan'] === 'function';
}

/** Adds the title that a strategy declares to its answer. */
export function titledAnswer({ title }: StrategyImplementation, answer: unknown): unknown {
  return title === undefined || !isRecord(answer) ? answer : { ...answer, title };
}

/** Freezes plain data at all depths. @returns the same value */
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

/** Creates a strategy from an exported class or function. @throws {CompactionFailure} `custom-invalid`, or its error */
export async function instantiate(exported: unknown, ports: CustomPorts): Promise<StrategyImplementation> {
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
