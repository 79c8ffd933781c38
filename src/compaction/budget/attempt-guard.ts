import type { Budget } from './budget.ts';
import { growthStep } from './trigger.ts';

export const failuresUntilOpen = 3;

/** Maximum growth, as a share of the window, that is required before a model is asked again. */
const largestGrowthShare = 1 / 4;

/**
 * Prevents automatic compactions that repeat without effect and cost money. After an attempt that left the view over
 * the trigger, the conversation has to grow by a step before the next attempt. Each further time, the step doubles.
 * After three failures of a model in a row, the breaker is open until the user starts a compaction.
 */
export class AttemptGuard {
  private consecutiveFailures = 0;
  private shortfalls = 0;
  private needed = 0;
  private grown = 0;
  private size = 0;

  get isOpen(): boolean {
    return this.consecutiveFailures >= failuresUntilOpen;
  }

  get failures(): number {
    return this.consecutiveFailures;
  }

  /** Size of the view, in tokens, below which no further attempt is made; 0 if there is no such size. */
  get restsBelow(): number {
    return this.needed === 0 ? 0 : this.size + this.needed - this.grown;
  }

  /** True while the conversation has not grown enough since an unsuccessful attempt. */
  isCoolingDown(tokens: number): boolean {
    return tokens < this.restsBelow;
  }

  /** Records that a model failed or its text was unusable. `tokens` is the size of the view after the attempt. */
  failed(tokens: number, budget: Budget): void {
    this.consecutiveFailures++;
    this.waitForGrowth(tokens, budget);
  }

  modelSucceeded(): void {
    this.consecutiveFailures = 0;
  }

  /** Records that an attempt made the view smaller, but left it over the trigger. */
  fellShort(tokens: number, budget: Budget): void {
    const most = budget.window === undefined ? Infinity : Math.floor(budget.window * largestGrowthShare);
    this.wait(
      tokens,
      Math.min(growthStep(budget) * 2 ** this.shortfalls, Math.max(most, growthStep(budget))),
    );
    this.shortfalls++;
  }

  waitForGrowth(tokens: number, budget: Budget): void {
    this.wait(tokens, growthStep(budget));
  }

  /** Records that the view shrank without a model; growth before that still counts. */
  shrank(before: number, after: number): void {
    this.grown += Math.max(0, before - this.size);
    this.size = after;
  }

  helped(): void {
    this.shortfalls = 0;
    this.wait(0, 0);
  }

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

/** Decides when to check again whether early shortening pays off: after each step of growth. */
export class EarlyAttempts {
  private quietBelow = 0;

  isDue(tokens: number, budget: Budget): boolean {
    if (tokens < this.quietBelow) return false;
    this.quietBelow = tokens + growthStep(budget);
    return true;
  }

  reset(): void {
    this.quietBelow = 0;
  }
}
