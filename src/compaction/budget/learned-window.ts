/** Share of a limit to stay under after an overflow: the provider's count and ours differ a little. */
const overflowMargin = 0.9;

/** The window that refused requests have taught, in our tokens. */
export class LearnedWindow {
  private learned: { readonly tokens: number; readonly set: number | undefined } | undefined;

  /**
   * Takes a window from a refused request. Of several, the smallest counts.
   *
   * @param set the window as settings have it, in tokens
   */
  learn(tokens: number, set: number | undefined): void {
    const before = this.learned?.set === set ? this.learned?.tokens : undefined;
    this.learned = { tokens: Math.min(tokens, before ?? tokens), set };
  }

  /** The window to go by. A window that was set since belongs to another model, of which nothing was learned. */
  within(set: number | undefined): number | undefined {
    if (this.learned === undefined || this.learned.set !== set) return set;
    return Math.min(this.learned.tokens, set ?? this.learned.tokens);
  }
}

/**
 * The window that a refused request teaches, in our tokens. It is smaller than that request, whatever limit the
 * provider named: its limit may be lower than it says, or its tokens smaller than ours.
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
  return Math.floor(Math.min(counted, limit === undefined ? counted : limit * scale) * overflowMargin);
}
