import { defaultCachePrice } from './cost.ts';
import { knownModels } from './known-models.ts';
import type { ModelFacts, ModelOverride, ModelOverrides } from './model-facts.ts';

const unknownModel: ModelFacts = { encoding: 'o200k_base', isStandIn: true };

/**
 * Looks a model up by its name, with or without the provider's prefix (`openai/gpt-5`). Of several beginnings that
 * fit, the longest counts.
 */
export function factsOfModel(name: string, overrides: ModelOverrides = {}): ModelFacts {
  const facts = longestMatch(knownModels, name) ?? unknownModel;
  const override = longestMatch(Object.entries(overrides), name);
  return override === undefined ? facts : overridden(facts, override);
}

function overridden(facts: ModelFacts, override: ModelOverride): ModelFacts {
  const { price, cache, tokenizer } = override;
  const merged = { ...facts.price, ...price };
  const { input, output } = merged;
  return {
    window: override.window ?? facts.window,
    maxOutput: override.maxOutput ?? facts.maxOutput,
    // Half a price is none.
    price: input === undefined || output === undefined ? facts.price : { ...merged, input, output },
    cache: cache === undefined ? facts.cache : { ...(facts.cache ?? defaultCachePrice), ...cache },
    encoding: tokenizer ?? facts.encoding,
    isStandIn: tokenizer === undefined && facts.isStandIn,
  };
}

function longestMatch<Value>(
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
