import { isRecord } from '../../../src/language/is-record.ts';

/** Under this name the text of arguments travels that are no JSON object, as peers take nothing else. */
const textKey = 'arguments_as_text';

/** The arguments of a call as an object. */
export function argumentsObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) {
      return value;
    }
  } catch {
    // Models write malformed JSON; the text is handed on as it is.
  }
  return { [textKey]: text };
}

/** The text of arguments: the other way around. White space between the parts of the JSON is not what it was. */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isRecord(value)) {
    const text = value[textKey];
    if (typeof text === 'string' && Object.keys(value).length === 1) return text;
  }
  return JSON.stringify(value ?? {});
}
