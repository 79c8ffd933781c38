import { describe, expect, it } from 'vitest';
import { AttemptGuard, failuresUntilOpen } from '../../../src/compaction/budget/attempt-guard.ts';
import { createBudget } from '../../../src/compaction/budget/budget.ts';

describe('AttemptGuard', () => {
  const budget = createBudget({ window: 100_000, triggerRatio: 0.85, targetRatio: 0.5 });
  /** Two hundredths of the window. */
  const step = 2_000;

  it('opens after several failures in a row, and closes on a reset', () => {
    const guard = new AttemptGuard();
    for (let failure = 0; failure < failuresUntilOpen; failure++) {
      expect(guard.isOpen).toBe(false);
      guard.failed(90_000, budget);
    }
    expect(guard.isOpen).toBe(true);
    guard.reset();
    expect(guard.isOpen).toBe(false);
  });

  it('stays open after a successful compaction without a model', () => {
    const guard = new AttemptGuard();
    for (let failure = 0; failure < failuresUntilOpen; failure++) guard.failed(90_000, budget);
    guard.helped();
    expect(guard.isOpen).toBe(true);
  });

  it('waits until the view has grown by one step', () => {
    const guard = new AttemptGuard();
    guard.waitForGrowth(86_000, budget);
    expect(guard.isCoolingDown(86_000 + step - 1)).toBe(true);
    expect(guard.isCoolingDown(86_000 + step)).toBe(false);
  });

  it('doubles the wait after each compaction that ends above the trigger, up to a quarter of the window', () => {
    const guard = new AttemptGuard();
    const waits = Array.from({ length: 6 }, () => {
      guard.fellShort(86_000, budget);
      return guard.restsBelow - 86_000;
    });
    expect(waits).toEqual([step, 2 * step, 4 * step, 8 * step, 25_000, 25_000]);
    guard.helped();
    guard.fellShort(86_000, budget);
    expect(guard.restsBelow).toBe(86_000 + step);
  });

  it('still waits for the same growth after a compaction without a model', () => {
    const guard = new AttemptGuard();
    guard.fellShort(86_000, budget);
    guard.shrank(87_500, 60_000);
    expect(guard.isCoolingDown(60_499)).toBe(true);
    expect(guard.isCoolingDown(60_500)).toBe(false);
  });
});
