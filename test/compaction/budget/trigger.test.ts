import { describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { AttemptGuard, failuresUntilOpen, triggerFor } from '../../../src/compaction/budget/trigger.ts';

const budget = createBudget({
  window: 100_000,
  reservedOutput: 10_000,
  triggerRatio: 0.85,
  targetRatio: 0.5,
});

describe('triggerFor', () => {
  it('is nothing below the trigger', () => {
    expect(triggerFor(84_999, budget)).toBeUndefined();
  });

  it('is soft at the trigger', () => {
    expect(triggerFor(85_000, budget)).toEqual({ source: 'ratio', requirement: 'soft', tokens: 85_000 });
  });

  it('is hard once the reply would no longer fit', () => {
    expect(triggerFor(90_001, budget)).toMatchObject({ requirement: 'hard' });
  });

  it('names the reserve where that set the trigger', () => {
    const tight = createBudget({
      window: 100_000,
      reservedOutput: 40_000,
      triggerRatio: 0.85,
      targetRatio: 0.5,
    });
    expect(triggerFor(60_000, tight)?.source).toBe('reserve');
  });

  it('is nothing where the window is unknown', () => {
    expect(triggerFor(1_000_000, createBudget({ triggerRatio: 0.85, targetRatio: 0.5 }))).toBeUndefined();
  });
});

describe('AttemptGuard', () => {
  it('opens after failures in a row and closes on a reset', () => {
    const guard = new AttemptGuard();
    for (let failure = 0; failure < failuresUntilOpen; failure++) {
      expect(guard.isOpen).toBe(false);
      guard.failed(90_000, budget);
    }
    expect(guard.isOpen).toBe(true);
    guard.reset();
    expect(guard.isOpen).toBe(false);
  });

  it('cools down until the view has grown by a step', () => {
    const guard = new AttemptGuard();
    guard.waitForGrowth(86_000, budget);
    expect(guard.isCoolingDown(87_999)).toBe(true);
    expect(guard.isCoolingDown(88_000)).toBe(false);
  });
});
