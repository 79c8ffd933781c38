import type { Budget } from './budget.ts';
import { growthStep } from './trigger.ts';

/**
 * When to ask a strategy whether shortening now would pay, although there is room left. Planning it takes a look at
 * the whole view, so it is asked again only once that has grown by a step.
 */
export class EarlyAttempts {
  private quietBelow = 0;

  /** @param tokens estimated size of the next request */
  isDue(tokens: number, budget: Budget): boolean {
    if (tokens < this.quietBelow) return false;
    this.quietBelow = tokens + growthStep(budget);
    return true;
  }

  /** The view became smaller. */
  reset(): void {
    this.quietBelow = 0;
  }
}
