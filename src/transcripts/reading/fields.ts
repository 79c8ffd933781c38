/** An object whose fields are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Levels of lists and objects in each other. No program nests that deep, and code that walks values needs an end. */
const deepest = 200;

/**
 * Looks through a value that was parsed from JSON, whatever it is, and takes out fields that are called `__proto__`:
 * a copy made of such a field would have another prototype.
 *
 * @returns why the value must not be used, the end of a sentence
 */
export function objectionToValue(value: unknown): string | undefined {
  return isShallow(value, deepest) ? undefined : `it is nested more than ${deepest} levels deep.`;
}

/** @param levels that are left */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && !isShallow(item, levels - 1)) return false;
    return true;
  }
  const fields = value as Record<string, unknown>;
  for (const name in fields) {
    if (name === '__proto__') Reflect.deleteProperty(fields, name);
    else if (typeof fields[name] === 'object' && !isShallow(fields[name], levels - 1)) return false;
  }
  return true;
}
