/**
 * The value whose name is the longest beginning of a model's name, with or without the provider's prefix
 * (`openai/gpt-5`); undefined if none is.
 */
export function longestMatch<Value>(
  entries: readonly (readonly [beginning: string, value: Value])[],
  name: string,
): Value | undefined {
  const whole = normalised(name);
  const bare = whole.slice(whole.lastIndexOf('/') + 1);
  let longest: readonly [string, Value] | undefined;
  for (const entry of entries) {
    const beginning = normalised(entry[0]);
    const fits = beginning !== '' && (bare.startsWith(beginning) || whole.startsWith(beginning));
    if (fits && beginning.length > (longest?.[0].length ?? 0)) longest = [beginning, entry[1]];
  }
  return longest?.[1];
}

/** Claude's versions are written with a dot by some providers and with a hyphen by others. */
function normalised(name: string): string {
  const lower = name.trim().toLowerCase();
  return lower.includes('claude') ? lower.replaceAll('.', '-') : lower;
}
