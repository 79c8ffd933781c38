/** Levels of lists and objects in each other. No program nests that deep, and code that walks values needs an end. */
export const deepestJson = 200;

/**
 * Reads JSON that a model, a tool or a server wrote.
 *
 * @returns undefined if it is not JSON, or nested deeper than anything that means something
 */
export function parseShallow(json: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isShallow(value) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * True if a value that was parsed from JSON is nested no deeper than anything that means something.
 *
 * @param visit called with every object in it before what that holds is looked at
 */
export function isShallow(value: unknown, visit?: (fields: Record<string, unknown>) => void): boolean {
  return isWithin(value, deepestJson, visit);
}

function isWithin(
  value: unknown,
  levels: number,
  visit: ((fields: Record<string, unknown>) => void) | undefined,
): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  // Loops, because a session file holds millions of values.
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'object' && !isWithin(item, levels - 1, visit)) return false;
    }
    return true;
  }
  const fields = value as Record<string, unknown>;
  visit?.(fields);
  for (const name in fields) {
    if (typeof fields[name] === 'object' && !isWithin(fields[name], levels - 1, visit)) return false;
  }
  return true;
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
