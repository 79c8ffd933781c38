import { deepestJson, isShallow } from '../../compaction/text/parse-json.ts';

/** An object whose fields are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object on a line of its own, as logs of JSON lines have them. */
export interface EventLine {
  /** 1-based. */
  readonly line: number;
  readonly fields: Fields;
}

export interface EventLines {
  readonly events: readonly EventLine[];
  /** Lines that hold no object, a sentence each. Blank lines are none. */
  readonly problems: readonly string[];
  /** The first line that is not blank, 1-based. */
  readonly firstLine: number;
}

/** A field that is a text; empty if it is anything else, which `String` may be unable to convert. */
export function wordIn(field: unknown): string {
  return typeof field === 'string' ? field : '';
}

/**
 * Looks through a value that was parsed from JSON, whatever it is, and takes out fields that are called `__proto__`:
 * a copy made of such a field would have another prototype.
 *
 * @returns why the value must not be used, the end of a sentence
 */
export function objectionToValue(value: unknown): string | undefined {
  const isUsable = isShallow(value, (fields) => {
    if (Object.hasOwn(fields, '__proto__')) Reflect.deleteProperty(fields, '__proto__');
  });
  return isUsable ? undefined : `it is nested more than ${deepestJson} levels deep.`;
}
