import {
  type MessageFields,
  type Guard,
  type OptionalField,
  readFields,
  type FieldValues,
} from './messages.ts';
import { isRecord } from '../language/is-record.ts';

/** Maximum characters of a text from a page. */
const longestText = 1_000_000;
/** Maximum characters of an id, query or filter. */
const longestLine = 1_000;

/** A string of limited length, in characters. */
export function textUpTo(longest: number): Guard<string> {
  return (value) => (typeof value === 'string' && value.length <= longest ? value : undefined);
}

/** Text of the user, or an id of the same maximum length. */
export const text = textUpTo(longestText);

/** An id, a query or a filter. */
export const line = textUpTo(longestLine);

/** The id of a message or of a record. */
export const id = line;

export const flag: Guard<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

/** A whole number that may be negative. */
export const integer: Guard<number> = (value) => (Number.isSafeInteger(value) ? Number(value) : undefined);

/** A whole number, 0 or larger. */
export const count = countUpTo(Number.MAX_SAFE_INTEGER);

/** A whole number from 0 to a limit. */
export function countUpTo(most: number): Guard<number> {
  return (value) => {
    const number = integer(value);
    return number !== undefined && number >= 0 && number <= most ? number : undefined;
  };
}

/** The number of a line in a file, counted from 1. */
export const lineNumber: Guard<number> = (value) => (value === 0 ? undefined : count(value));

/** A share between 0 and 1. */
export const share: Guard<number> = (value) =>
  typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;

export function matching(pattern: RegExp): Guard<string> {
  return (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined);
}

export function oneOf<const Values extends readonly string[]>(values: Values): Guard<Values[number]> {
  return (value) => values.find((each) => each === value);
}

export function listOf<Value>(guard: Guard<Value>, mostItems: number): Guard<readonly Value[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > mostItems) return undefined;
    const items = value.map((item: unknown) => guard(item)).filter((item) => item !== undefined);
    return items.length === value.length ? items : undefined;
  };
}

/** An object with the given fields; others are left out. */
export function objectWith<const Of extends MessageFields>(fields: Of): Guard<FieldValues<Of>> {
  return (value) => (isRecord(value) ? readFields(fields, value) : undefined);
}

/** Accepts any value. For fields that only the extension sends: the page's policy excludes other frames and scripts. */
export function fromHost<Value>(): Guard<Value> {
  return (value) => value as Value | undefined;
}

/** An optional field. An invalid value makes the message invalid. */
export function optional<Value>(guard: Guard<Value>): OptionalField<Value> {
  return { guard, otherwise: 'refuse' };
}

/** An optional field. An invalid value is ignored. */
export function ifValid<Value>(guard: Guard<Value>): OptionalField<Value> {
  return { guard, otherwise: 'omit' };
}
