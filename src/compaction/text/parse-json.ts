/** Maximum depth of lists and objects. Real data stays below it, and recursive code needs a limit. */
export const deepestJson = 200;

/** Reads foreign JSON; undefined if the text is not JSON or is nested too deeply. */
export function parseShallow(json: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isShallow(value) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** True if a parsed value is not nested too deeply. Visits every object in the value before the object's fields. */
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
  // Plain loops, because a session file holds millions of values.
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

/** True if a string is JSON of any kind and depth. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const quotedStrings = /"(?:[^"\\]|\\.)*"/gsu;
/** A number that may exceed 2^53 and change when it is parsed and written. */
const longNumber = /\d{16}/;

/** Reads JSON to be written again; undefined if it is nested too deeply or has a number that would change. */
export function parseRewritable(json: string): { readonly value: unknown } | undefined {
  if (longNumber.test(json) && longNumber.test(json.replace(quotedStrings, ''))) return undefined;
  return parseShallow(json);
}
