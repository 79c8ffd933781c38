import type { Budget } from './budget.ts';
import { growthStep } from './trigger.ts';

/** Failures of a model in a row after which automatic compactions ask none any more. */
export const failuresUntilOpen = 3;

/** Largest share of the window that has to be added before a model is asked again. */
const largestGrowthShare = 1 / 4;

/**
 * Keeps automatic compactions from running in circles, and from paying for what does not help. After an attempt that
 * left the view over the trigger, the conversation has to grow by a step before the next one, and by twice as much
 * each further time. After three failures of a model in a row the breaker is open until a person starts a compaction.
 */
export class AttemptGuard {
  private consecutiveFailures = 0;
  /** Attempts in a row that did not get below the trigger. */
  private shortfalls = 0;
  /** Tokens that have to be added since the attempt. */
  private needed = 0;
  /** Tokens that were added since, whatever else became smaller meanwhile. */
  private grown = 0;
  /** Size of the view when it was last noted, in tokens. */
  private size = 0;

  get isOpen(): boolean {
    return this.consecutiveFailures >= failuresUntilOpen;
  }

  get failures(): number {
    return this.consecutiveFailures;
  }

  /** Below this size nothing is tried that did not help before, in tokens; 0 if everything is. */
  get restsBelow(): number {
    return this.needed === 0 ? 0 : this.size + this.needed - this.grown;
  }

  /** True while the conversation has not grown enough since an attempt that did not help. */
  isCoolingDown(tokens: number): boolean {
    return tokens < this.restsBelow;
  }

  /**
   * A model failed, or what it wrote was of no use.
   *
   * @param tokens size of the view after the attempt
   */
  failed(tokens: number, budget: Budget): void {
    this.consecutiveFailures++;
    this.waitForGrowth(tokens, budget);
  }

  /** A model wrote a summary that is in the view now. */
  modelSucceeded(): void {
    this.consecutiveFailures = 0;
  }

  /** The view is smaller now, and still calls for a compaction. */
  fellShort(tokens: number, budget: Budget): void {
    const most = budget.window === undefined ? Infinity : Math.floor(budget.window * largestGrowthShare);
    this.wait(
      tokens,
      Math.min(growthStep(budget) * 2 ** this.shortfalls, Math.max(most, growthStep(budget))),
    );
    this.shortfalls++;
  }

  /** Nothing came of an attempt. */
  waitForGrowth(tokens: number, budget: Budget): void {
    this.wait(tokens, growthStep(budget));
  }

  /** The view got smaller without a model while one rests: what was added until then counts all the same. */
  shrank(before: number, after: number): void {
    this.grown += Math.max(0, before - this.size);
    this.size = after;
  }

  /** A compaction got below the trigger. */
  helped(): void {
    this.shortfalls = 0;
    this.wait(0, 0);
  }

  /** A person started a compaction. */
  reset(): void {
    this.modelSucceeded();
    this.helped();
  }

  private wait(tokens: number, growth: number): void {
    this.needed = growth;
    this.grown = 0;
    this.size = tokens;
  }
}

/**
 * Decides when to ask a strategy whether shortening now would pay, although there is room left. Planning it takes a
 * look at the whole view, so it is asked again only once that has grown by a step.
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
