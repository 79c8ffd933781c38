import { isRecord } from '../../language/is-record.ts';

const nothing: ReadonlySet<string> = new Set();

/** True if two values have the same JSON, apart from the fields in `except`. Does not write long texts as JSON. */
export function isDeepEqual(one: unknown, other: unknown, except = nothing): boolean {
  if (one === other) return true;
  if (typeof one === 'string' && typeof other === 'string') return false;
  if (!isRecord(one) || !isRecord(other)) return JSON.stringify(one) === JSON.stringify(other);
  const names = namesOf(one, except);
  const others = namesOf(other, except);
  return (
    names.length === others.length &&
    names.every((name, index) => name === others[index] && isDeepEqual(one[name], other[name]))
  );
}

function namesOf(record: Readonly<Record<string, unknown>>, except: ReadonlySet<string>): readonly string[] {
  return Object.keys(record).filter((name) => record[name] !== undefined && !except.has(name));
}
