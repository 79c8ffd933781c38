/** Finds the value whose key is the longest prefix of a model's name, with or without the provider (`openai/gpt-5`). */
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

/** Unifies Claude's versions, which some providers write with a dot and others with a hyphen. */
function normalised(name: string): string {
  const lower = name.trim().toLowerCase();
  return lower.includes('claude') ? lower.replaceAll('.', '-') : lower;
}
