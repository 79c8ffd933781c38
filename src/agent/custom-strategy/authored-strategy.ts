import type { CustomInput, CustomPorts } from '../../compaction/strategies/contract/custom-strategy.ts';
import { isRecord } from '../../language/is-record.ts';

/** The part of the contract that a strategy's author writes. Ports come a second time with each plan. */
export interface AuthoredStrategy {
  /** @returns `{ kind: 'plan', plan: { actions } }` or `{ kind: 'unchanged', reason }` */
  plan(input: CustomInput, ports: CustomPorts, signal: AbortSignal): unknown;
}

/** True if a value has what the contract asks for. */
export function isStrategy(value: unknown): value is AuthoredStrategy {
  return isRecord(value) && typeof value['plan'] === 'function';
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
