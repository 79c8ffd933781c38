/** Levels of lists and objects in each other. No program nests that deep, and code that walks values needs an end. */
const deepest = 200;

/**
 * Reads JSON that a model, a tool or a server wrote.
 *
 * @returns undefined where it is no JSON, or nested deeper than anything that means something
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
