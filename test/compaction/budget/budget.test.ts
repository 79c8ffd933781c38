import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/compaction/budget/budget.ts';

const ratios = { triggerRatio: 0.85, targetRatio: 0.5 };

describe('createBudget', () => {
  it('triggers at a share of the window', () => {
    expect(createBudget({ ...ratios, window: 200_000 })).toEqual({
      window: 200_000,
      reservedOutput: 16_000,
      trigger: 170_000,
      target: 100_000,
    });
  });

  it('triggers earlier where the reply needs the room', () => {
    expect(createBudget({ ...ratios, window: 100_000, reservedOutput: 40_000 }).trigger).toBe(60_000);
  });

  it('does not let the reserve eat a small window', () => {
    expect(createBudget({ ...ratios, window: 32_000, reservedOutput: 50_000 })).toMatchObject({
      reservedOutput: 16_000,
      trigger: 16_000,
    });
  });

  it('invents nothing where the window is unknown', () => {
    const budget = createBudget({ ...ratios, window: undefined });
    expect(budget.window).toBeUndefined();
    expect(budget.trigger).toBeUndefined();
    expect(budget.target).toBeUndefined();
  });

  it('always has a target below the trigger and a trigger below the window', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 2_000_000 }),
        fc.option(fc.nat({ max: 100_000 }), { nil: undefined }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        (window, reservedOutput, triggerRatio, targetRatio) => {
          const { trigger, target } = createBudget({ window, reservedOutput, triggerRatio, targetRatio });
          expect(trigger).toBeGreaterThan(0);
          expect(trigger).toBeLessThanOrEqual(window);
          expect(target).toBeLessThanOrEqual(Math.max(1, trigger! - 1));
        },
      ),
    );
  });
});
