import type { Trigger } from '../record.ts';
import type { Budget } from './budget.ts';

/** Tokens added to an estimate of the next request, for what a provider adds around messages. */
export const requestBuffer = 500;

/**
 * Whether a request of this size calls for a compaction.
 *
 * The requirement is hard once the request would no longer leave the room reserved for a reply.
 */
export function triggerFor(tokens: number, budget: Budget): Trigger | undefined {
  const { window, reservedOutput, trigger } = budget;
  if (window === undefined || trigger === undefined || tokens < trigger) return undefined;
  const inputLimit = window - reservedOutput;
  return {
    source: trigger < inputLimit ? 'ratio' : 'reserve',
    requirement: tokens > inputLimit ? 'hard' : 'soft',
    tokens,
  };
}

/** Automatic failures in a row after which automatic compactions stop calling a model. */
export const failuresUntilOpen = 3;

/**
 * Keeps automatic compactions from running in circles. After an attempt that left the view over the trigger, the
 * view has to grow by a step before the next attempt; after three failures in a row the breaker is open until a
 * compaction succeeds or a person starts one.
 */
export class AttemptGuard {
  private consecutiveFailures = 0;
  private quietBelow = 0;

  get isOpen(): boolean {
    return this.consecutiveFailures >= failuresUntilOpen;
  }

  get failures(): number {
    return this.consecutiveFailures;
  }

  /** True while the view has not grown enough since an attempt that did not help. */
  isCoolingDown(tokens: number): boolean {
    return tokens < this.quietBelow;
  }

  /** @param tokens size of the view after the attempt */
  failed(tokens: number, budget: Budget): void {
    this.consecutiveFailures++;
    this.waitForGrowth(tokens, budget);
  }

  waitForGrowth(tokens: number, budget: Budget): void {
    this.quietBelow = tokens + growthStep(budget);
  }

  reset(): void {
    this.consecutiveFailures = 0;
    this.quietBelow = 0;
  }
}

/** Growth that makes another attempt worth while: two hundredths of the window. */
function growthStep(budget: Budget): number {
  return Math.max(1, Math.floor((budget.window ?? 50_000) / 50));
}
