import type { EncodingName } from '../tokens/token-counter.ts';
import { type CachePrice, defaultCachePrice } from './budget.ts';
import { longestMatch } from '../text/longest-match.ts';

interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number | undefined;
}

/** Known facts about a model. Unknown facts are absent and never guessed. */
export interface ModelFacts {
  readonly window?: number | undefined;
  /** Another window of the same model. The longer window has to be requested, or is not part of every plan. */
  readonly otherWindow?: number | undefined;
  readonly maxOutput?: number | undefined;
  readonly price?: ModelPrice | undefined;
  readonly cache?: CachePrice | undefined;
  readonly encoding: EncodingName;
  /** True if the encoding stands in for the model's own tokenizer, so that counts are approximate. */
  readonly isStandIn: boolean;
}

/** The user's corrections of the table, by the beginning of a model's name. */
export type ModelOverrides = Readonly<Record<string, ModelOverride>>;

interface ModelOverride {
  readonly window?: number | undefined;
  readonly maxOutput?: number | undefined;
  readonly price?: Partial<ModelPrice> | undefined;
  readonly cache?: Partial<CachePrice> | undefined;
  readonly tokenizer?: EncodingName | undefined;
}

type Vendor = Pick<ModelFacts, 'encoding' | 'isStandIn' | 'cache'>;

/** Window (or listed and other window); longest reply; dollars per million input, output, cached tokens. */
type Row = readonly [
  window?: number | readonly [listed: number, other: number] | undefined,
  maxOutput?: number | undefined,
  input?: number,
  output?: number,
  cachedInput?: number,
];

/** Cache without a fee for writing. Reading costs a tenth unless listed otherwise. */
const withoutFee: CachePrice = { read: 0.1, write: 1 };

const openai: Vendor = { encoding: 'o200k_base', isStandIn: false, cache: withoutFee };
const olderOpenai: Vendor = { encoding: 'cl100k_base', isStandIn: false };
const anthropic: Vendor = { encoding: 'o200k_base', isStandIn: true, cache: defaultCachePrice };
/** Gemini, DeepSeek and Kimi, which cache automatically. */
const cachesByItself: Vendor = { encoding: 'o200k_base', isStandIn: true, cache: withoutFee };
const listsNoCache: Vendor = { encoding: 'o200k_base', isStandIn: true };

/** Models whose long window is listed. Some programs use the short window. */
const longOrNot = [1_000_000, 200_000] as const;
/** Models whose long window has to be requested, with a header or with Claude Code's `[1m]`. */
const longIfAsked = [200_000, 1_000_000] as const;

/**
 * Models by the beginning of their name, as of November 2026. Anthropic's limits and prices are from its own pages,
 * most others from pages that list several vendors, so a setting can correct them. Encodings of OpenAI's models follow
 * tiktoken's `model.py`. Numbers that the pages lack, or that vary by prompt length, hour or season, are left out.
 */
export const knownModels: readonly (readonly [beginning: string, facts: ModelFacts])[] = [
  ...models(openai, {
    'gpt-5': [400_000, 128_000, 1.25, 10, 0.125],
    'gpt-5-mini': [400_000, 128_000, 0.25, 2, 0.025],
    'gpt-5-nano': [400_000, 128_000, 0.05, 0.4, 0.005],
    'gpt-5-pro': [400_000, 128_000],
    'gpt-5.': [400_000, 128_000],
    'gpt-5.4': [[1_050_000, 400_000], 128_000],
    'gpt-5.4-mini': [400_000, 128_000],
    'gpt-5.4-nano': [400_000, 128_000],
    'gpt-5.5': [[1_050_000, 400_000], 128_000],
    'gpt-4.1': [1_047_576, 32_768, 2, 8, 0.5],
    'gpt-4.1-mini': [1_047_576, 32_768, 0.4, 1.6, 0.1],
    'gpt-4.1-nano': [1_047_576, 32_768, 0.1, 0.4, 0.025],
    'gpt-4o': [128_000, 16_384, 2.5, 10, 1.25],
    'gpt-4o-mini': [128_000, 16_384, 0.15, 0.6, 0.075],
    'gpt-oss': [131_072, 131_072],
    o1: [200_000, 100_000, 15, 60, 7.5],
    'o1-mini': [128_000, 65_536],
    o3: [200_000, 100_000],
    'o3-mini': [200_000, 100_000, 1.1, 4.4, 0.55],
    'o4-mini': [200_000, 100_000, 1.1, 4.4, 0.275],
  }),
  ...models(olderOpenai, {
    'gpt-4': [8_192, 8_192, 30, 60],
    'gpt-4-turbo': [128_000, 4_096, 10, 30],
    'gpt-3.5-turbo': [16_385, 4_096, 0.5, 1.5],
  }),
  ...models(anthropic, {
    claude: [],
    'claude-3': [200_000],
    'claude-fable-5': [1_000_000, 128_000, 10, 50, 1],
    'claude-fable-5-1': [1_000_000, 128_000, 10, 50, 0.25],
    'claude-fable-5-2': [1_000_000, 128_000, 8, 40],
    'claude-opus-4': [200_000, undefined, 15, 75, 1.5],
    'claude-opus-4-5': [200_000, undefined, 5, 25, 0.5],
    'claude-opus-4-6': [longOrNot, 128_000, 5, 25, 0.5],
    'claude-opus-4-7': [longOrNot, 128_000, 5, 25, 0.5],
    'claude-opus-4-8': [longOrNot, 128_000, 5, 25, 0.5],
    'claude-opus-5': [1_000_000, 128_000, 5, 25, 0.5],
    'claude-opus-5-5': [1_000_000, 128_000, 4, 20, 0.2],
    'claude-3-5-haiku': [200_000, undefined, 0.8, 4, 0.08],
    'claude-3-7-sonnet': [200_000, undefined, 3, 15, 0.3],
    'claude-sonnet-4': [longIfAsked, undefined, 3, 15, 0.3],
    'claude-sonnet-4-5': [longIfAsked, 64_000, 3, 15, 0.3],
    'claude-sonnet-4-6': [longOrNot, 128_000, 3, 15, 0.3],
    'claude-sonnet-5': [1_000_000, 128_000, 2, 10, 0.2],
    'claude-sonnet-5-5': [1_000_000, 128_000, 2, 10, 0.1],
    'claude-haiku-4-5': [200_000, 64_000, 1, 5, 0.1],
    'claude-haiku-5-5': [1_000_000, 128_000],
  }),
  ...models(cachesByItself, {
    'gemini-2.0-flash': [1_048_576, 8_192, 0.1, 0.4],
    'gemini-2.5-flash': [1_048_576, 65_535, 0.3, 2.5],
    'gemini-2.5-flash-lite': [1_048_576, 65_535],
    'gemini-2.5-pro': [1_048_576, 65_536],
    'gemini-3': [1_048_576, 65_536],
    'gemini-3.8-flash': [1_048_576, 65_536],
    'deepseek-chat': [128_000, 8_192],
    'deepseek-reasoner': [128_000, 8_192],
    'deepseek-v4': [1_048_576, 393_216],
    'kimi-k2': [131_072],
    'kimi-k2-0905': [256_000],
    'kimi-k2-thinking': [256_000],
    'kimi-k2-turbo': [256_000],
    'kimi-k2.5': [262_144, undefined, 0.6, 3, 0.1],
    'kimi-k2.6': [262_144, undefined, 0.95, 4, 0.16],
    'kimi-k2.7-code': [262_144, undefined, 0.95, 4, 0.19],
    'kimi-k2.7-code-highspeed': [262_144, undefined, 1.9, 8, 0.38],
    'kimi-k3': [1_000_000, undefined, 3, 15, 0.3],
  }),
  ...models(listsNoCache, {
    codestral: [256_000, undefined, 0.3, 0.9],
    devstral: [262_144, undefined, 0.4, 2],
    'devstral-medium-2507': [128_000, undefined, 0.4, 2],
    'devstral-small': [128_000, undefined, 0.1, 0.3],
    magistral: [128_000],
    ministral: [128_000],
    'mistral-large': [128_000],
    'mistral-medium': [128_000, undefined, 0.4, 2],
    'mistral-small': [128_000],
    'glm-4': [202_752],
    'glm-5': [202_752],
    'glm-5.2': [1_000_000],
    'minimax-m2.5': [196_608],
    'minimax-m3': [1_000_000],
    'qwen3-coder': [262_144],
    'qwen3-coder-flash': [1_000_000],
    'qwen3-coder-plus': [1_000_000],
    'qwen3-max': [262_144, 65_536],
    'qwen3.6-plus': [1_000_000],
    'qwen3.7-max': [991_000],
    'qwen3.8-max': [991_000, 128_000, 2, 6],
  }),
];

function models(
  { encoding, isStandIn, cache }: Vendor,
  rows: Readonly<Record<string, Row>>,
): readonly (readonly [beginning: string, facts: ModelFacts])[] {
  return Object.entries(rows).map(([beginning, row]) => {
    const [windows, maxOutput, input, output, cachedInput] = row;
    const [window, otherWindow] = typeof windows === 'object' ? windows : [windows];
    const price: ModelPrice | undefined =
      input === undefined || output === undefined ? undefined : { input, output, cachedInput };
    const limits = { window, maxOutput, ...(otherWindow !== undefined && { otherWindow }) };
    return [beginning, { ...limits, price, cache: cacheOf(cache, price), encoding, isStandIn }];
  });
}

/**
 * Returns the cache prices of a model. A listed price of cached input takes precedence over the vendor's usual price.
 */
function cacheOf(common: CachePrice | undefined, price: ModelPrice | undefined): CachePrice | undefined {
  if (common === undefined || price?.cachedInput === undefined) return common;
  return { ...common, read: Number((price.cachedInput / price.input).toFixed(3)) };
}

const unknownModel: ModelFacts = { encoding: 'o200k_base', isStandIn: true };

/** Finds a model by name, with or without the provider's prefix (`openai/gpt-5`). The longest match wins. */
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
    otherWindow: override.window === undefined ? facts.otherWindow : undefined,
    maxOutput: override.maxOutput ?? facts.maxOutput,
    price: input === undefined || output === undefined ? facts.price : { ...merged, input, output },
    cache: cache === undefined ? facts.cache : { ...(facts.cache ?? defaultCachePrice), ...cache },
    encoding: tokenizer ?? facts.encoding,
    isStandIn: tokenizer === undefined && facts.isStandIn,
  };
}
