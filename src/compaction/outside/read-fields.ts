import { CompactionFailure } from '../failure.ts';

/**
 * Reads plain data that an outside strategy gave. What is not as the contract has it is refused with its path, what
 * belongs there, and what stands there.
 */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown, path: string): Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : refuse(path, 'an object', value);
}

export function listIn(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? Array.from<unknown>(value) : refuse(path, 'a list', value);
}

export function textIn(value: unknown, path: string): string {
  return typeof value === 'string' ? value : refuse(path, 'a text', value);
}

export function textsIn(value: unknown, path: string): readonly string[] {
  return listIn(value, path).map((entry, index) => textIn(entry, `${path}[${index}]`));
}

export function refuse(path: string, expected: string, value: unknown): never {
  throw new CompactionFailure('custom-invalid', `${path} must be ${expected}, not ${describe(value)}.`);
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 39)}…` : value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
