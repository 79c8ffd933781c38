/** Share of a limit to stay under after an overflow: the provider's count and ours differ a little. */
const overflowMargin = 0.9;

/**
 * The window that a refused request teaches, in our tokens.
 *
 * @param limit as the provider named it, in its tokens; undefined where it named none
 * @param actual size of the request as the provider counted it
 * @param counted size of the request, in our tokens
 */
export function windowLearned(
  limit: number | undefined,
  actual: number | undefined,
  counted: number,
): number {
  const scale = actual !== undefined && actual > 0 ? counted / actual : 1;
  return Math.floor((limit === undefined ? counted : limit * scale) * overflowMargin);
}
