import { defaultCachePrice, type CachePrice } from '../compaction/budget/cost.ts';

/** What providers charge for their prompt caches, relative to uncached input. */
export const cachePrices = {
  /** Five-minute cache: a write costs a quarter more than plain input. */
  anthropic: defaultCachePrice,
  /** No fee for writing: what is written is paid as plain input. */
  openai: { read: 0.1, write: 1 },
  /** No cache, or one that has always expired. */
  none: { read: 1, write: 1 },
} as const satisfies Readonly<Record<string, CachePrice>>;

/**
 * Price of a token of output, relative to uncached input: what Anthropic asks for all its models. Others ask between
 * four and eight times the price of input.
 */
export const outputPrice = 5;

export type CacheName = keyof typeof cachePrices;

export const cacheNames = Object.keys(cachePrices) as CacheName[];
