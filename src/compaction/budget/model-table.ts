import type { EncodingName } from '../tokens/encoding.ts';

/** What is known of a model. All sizes in tokens. */
export interface ModelLimits {
  /** Tokens of input and output together. */
  readonly window: number;
  /** Tokens that a reply may take at most. */
  readonly maxOutput: number;
  readonly encoding: EncodingName;
}

/**
 * Models by the beginning of their name, the more particular before the more general. Windows and output limits as
 * OpenAI's model pages list them; encodings as tiktoken's `model.py` maps them.
 */
const table: readonly (readonly [prefix: string, limits: ModelLimits])[] = [
  ['gpt-5', { window: 400_000, maxOutput: 128_000, encoding: 'o200k_base' }],
  ['gpt-4.1', { window: 1_047_576, maxOutput: 32_768, encoding: 'o200k_base' }],
  ['gpt-4o', { window: 128_000, maxOutput: 16_384, encoding: 'o200k_base' }],
  ['gpt-4-turbo', { window: 128_000, maxOutput: 4_096, encoding: 'cl100k_base' }],
  ['gpt-4', { window: 8_192, maxOutput: 8_192, encoding: 'cl100k_base' }],
  ['gpt-3.5-turbo', { window: 16_385, maxOutput: 4_096, encoding: 'cl100k_base' }],
  ['gpt-oss', { window: 131_072, maxOutput: 131_072, encoding: 'o200k_base' }],
  ['o1-mini', { window: 128_000, maxOutput: 65_536, encoding: 'o200k_base' }],
  ['o1', { window: 200_000, maxOutput: 100_000, encoding: 'o200k_base' }],
  ['o3', { window: 200_000, maxOutput: 100_000, encoding: 'o200k_base' }],
  ['o4-mini', { window: 200_000, maxOutput: 100_000, encoding: 'o200k_base' }],
];

/**
 * Looks a model up by its name, without the provider's prefix where there is one (`openai/gpt-5`).
 *
 * @returns undefined for a model that nobody told us about: then no window is made up
 */
export function limitsOfModel(name: string): ModelLimits | undefined {
  const bare = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  return table.find(([prefix]) => bare.startsWith(prefix))?.[1];
}
