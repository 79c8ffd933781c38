import type { CustomInput, CustomPorts } from '../../compaction/strategies/contract/custom-strategy.ts';
import { isRecord } from '../../language/is-record.ts';

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
