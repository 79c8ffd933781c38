import type { Message } from '../message.ts';
import type { Cost } from '../record.ts';
import type { Usage } from '../tokens/usage.ts';

/** What a provider's prompt cache charges, relative to uncached input. */
export interface CachePrice {
  /** Share of the input price paid for a token read from the cache. */
  readonly read: number;
  /** Multiple of the input price paid for a token written to the cache. */
  readonly write: number;
  /** Minutes without a request after which the cache forgets; undefined where nobody says. */
  readonly ttlMinutes?: number | undefined;
}

/** Anthropic's five-minute cache, the dearest to rewrite: read 0.1, write 1.25. */
export const defaultCachePrice: CachePrice = { read: 0.1, write: 1.25 };

/**
 * What replacing one view by another costs and saves under a prompt cache. Everything behind the first message
 * that changed has to be written to the cache anew; without the compaction it would have been read from it.
 */
export function costOf(
  before: readonly Message[],
  after: readonly Message[],
  usageAfter: readonly Usage[],
  savedPerCall: number,
  price: CachePrice = defaultCachePrice,
): Cost {
  let unchanged = 0;
  while (unchanged < after.length && after[unchanged] === before[unchanged]) unchanged++;
  const cacheMissTokens = usageAfter.slice(unchanged).reduce((total, usage) => total + usage.total, 0);
  const breakEvenCalls =
    savedPerCall <= 0
      ? null
      : Math.ceil((cacheMissTokens * (price.write - price.read)) / (savedPerCall * price.read));
  return { cacheMissTokens, savedPerCall, breakEvenCalls };
}
