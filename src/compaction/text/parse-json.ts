/** Levels of lists and objects in each other. No program nests that deep, and code that walks values needs an end. */
const deepest = 200;

/**
 * Reads JSON that a model, a tool or a server wrote.
 *
 * @returns undefined if it is not JSON, or nested deeper than anything that means something
 */
export function parseShallow(json: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isShallow(value, deepest) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** @param levels that are left */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

/** True if a string is JSON of any kind, however deep. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const quotedStrings = /"(?:[^"\\]|\\.)*"/gsu;
/** Beyond 2^53 a number does not survive being read and written. */
const longNumber = /\d{16}/;

/**
 * Reads JSON that is to be written again with small changes.
 *
 * @returns undefined if it is not JSON, is nested too deep, or has a number that would come out as another one
 */
export function parseRewritable(json: string): { readonly value: unknown } | undefined {
  if (longNumber.test(json) && longNumber.test(json.replace(quotedStrings, ''))) return undefined;
  return parseShallow(json);
}
