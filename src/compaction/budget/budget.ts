import type { CachePrice } from './cost.ts';

/** How the context window is shared out. All sizes in tokens. */
export interface Budget {
  /** Undefined where nobody knows it: then nothing is a share of it, and only an overflow sets off a compaction. */
  readonly window?: number;
  /** Kept free for the reply. */
  readonly reservedOutput: number;
  /** At this size an automatic compaction starts. */
  readonly trigger?: number;
  /** Down to this size a compaction aims. Below the trigger, so that the next call does not set off another one. */
  readonly target?: number;
  /** What the provider's prompt cache charges; the dearest known one where not given. */
  readonly cachePrice?: CachePrice;
}

export interface BudgetSettings {
  readonly window?: number | undefined;
  /** Undefined: an eighth of the window, at most 16,000. */
  readonly reservedOutput?: number | undefined;
  /** Share of the window, between 0 and 1. */
  readonly triggerRatio: number;
  /** Share of the window, between 0 and 1. */
  readonly targetRatio: number;
}

export const defaultTriggerRatio = 0.85;
export const defaultTargetRatio = 0.5;
const largestDefaultReserve = 16_000;

export function createBudget(settings: BudgetSettings): Budget {
  const { window, triggerRatio, targetRatio } = settings;
  if (window === undefined || window <= 0) {
    return { reservedOutput: settings.reservedOutput ?? largestDefaultReserve };
  }
  // A reserve of half the window or more would have every call compact; a small local model is not that rare.
  const reservedOutput = Math.min(
    settings.reservedOutput ?? Math.min(largestDefaultReserve, Math.floor(window / 8)),
    Math.floor(window / 2),
  );
  const trigger = Math.max(1, Math.min(Math.floor(window * triggerRatio), window - reservedOutput));
  const target = Math.max(1, Math.min(Math.floor(window * targetRatio), trigger - 1));
  return { window, reservedOutput, trigger, target };
}
