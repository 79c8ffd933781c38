import type { CachePrice } from './cost.ts';

/**
 * How much a rewrite of old messages has to free so that doing it now costs less than waiting for more, in tokens.
 *
 * Every rewrite has the provider's cache written anew from the first change on: `missTokens × (write − read)`. Every
 * token that could be gone and is not costs `read` at each call. With a steady growth of `growthPerCall` tokens that
 * could be freed, the sum of both is least at √(2 × cost of a rewrite × growth / read): the economic order quantity
 * of Harris (1913).
 */
export function worthwhileBatch(
  missTokens: number,
  growthPerCall: number,
  { read, write }: CachePrice,
): number {
  const rewriteCost = missTokens * Math.max(0, write - read);
  if (read <= 0) return rewriteCost > 0 ? Number.POSITIVE_INFINITY : 0;
  return Math.sqrt((2 * rewriteCost * growthPerCall) / read);
}
