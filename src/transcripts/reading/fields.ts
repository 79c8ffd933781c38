import { isRecord } from '../../language/is-record.ts';
import { deepestJson, isShallow } from '../../compaction/text/parse-json.ts';

/** An object with unchecked fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object on one line of a JSON lines file. */
export interface EventLine {
  /** Line number, counted from 1. */
  readonly line: number;
  readonly fields: Fields;
}

export interface EventLines {
  readonly events: readonly EventLine[];
  /** A sentence for each line without an object. Blank lines are ignored. */
  readonly problems: readonly string[];
  /** Number of the first line that is not blank, counted from 1. */
  readonly firstLine: number;
}

/** Returns the fields of a value; an empty object if the value is not an object. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** Returns the objects in a list; an empty list if the value is not a list. */
export function recordsIn(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** Returns a text field; an empty string for any other type, which `String` may be unable to convert. */
export function wordIn(field: unknown): string {
  return typeof field === 'string' ? field : '';
}

/**
 * Checks a parsed JSON value and removes fields named `__proto__`, because copying such a field would change the
 * copy's prototype.
 *
 * @returns the end of a sentence that states why the value must not be used
 */
export function objectionToValue(value: unknown): string | undefined {
  const isUsable = isShallow(value, (fields) => {
    if (Object.hasOwn(fields, '__proto__')) Reflect.deleteProperty(fields, '__proto__');
  });
  return isUsable ? undefined : `it is nested more than ${deepestJson} levels deep.`;
}
