/** The arguments of a call as an object; no text counts as no arguments. */
export function parseToolInput(json: string): Readonly<Record<string, unknown>> | undefined {
  if (json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
