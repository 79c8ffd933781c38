import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BudgetSettings,
  costOf,
  createBudget,
  defaultAllocation,
  groupOf,
  shareOf,
  targetFor,
} from '../../../src/compaction/budget/budget.ts';
import { emptyUsage } from '../../../src/compaction/tokens/usage.ts';
import { said, typed } from '../../support/messages.ts';

describe('the budget', () => {
  const ratios = { triggerRatio: 0.85, targetRatio: 0.5 };

  describe('createBudget', () => {
    it('triggers at a share of the window', () => {
      expect(createBudget({ ...ratios, window: 200_000 })).toMatchObject({
        window: 200_000,
        reservedOutput: 16_000,
        trigger: 170_000,
        target: 100_000,
      });
    });

    it('triggers earlier if the reserve for the reply is large', () => {
      expect(createBudget({ ...ratios, window: 100_000, reservedOutput: 40_000 }).trigger).toBe(60_000);
    });

    it('limits the reserve to half of a small window', () => {
      expect(createBudget({ ...ratios, window: 32_000, reservedOutput: 50_000 })).toMatchObject({
        reservedOutput: 16_000,
        trigger: 16_000,
      });
    });

    it('sets no trigger or target if the window is unknown', () => {
      const budget = createBudget({ ...ratios, window: undefined });
      expect(budget.window).toBeUndefined();
      expect(budget.trigger).toBeUndefined();
      expect(budget.target).toBeUndefined();
    });

    it('reserves no more than the model can write', () => {
      expect(createBudget({ ...ratios, window: 128_000, maxOutput: 4_096 }).reservedOutput).toBe(4_096);
    });

    it('triggers at a set number of tokens, and scales the target accordingly', () => {
      const settings = { triggerRatio: 0.8, targetRatio: 0.4, triggerTokens: 30_000 };
      expect(createBudget({ ...settings, window: 200_000 })).toMatchObject({
        trigger: 30_000,
        target: 15_000,
      });
      expect(createBudget(settings)).toMatchObject({ trigger: 30_000, target: 15_000 });
    });

    it('ignores a set number of tokens above the normal trigger', () => {
      expect(createBudget({ ...ratios, window: 100_000, triggerTokens: 99_000 }).trigger).toBe(85_000);
    });

    it('triggers at 400,000 tokens at the latest by default', () => {
      expect(createBudget({ ...ratios, window: 1_000_000 })).toMatchObject({
        trigger: 400_000,
        target: 235_294,
      });
      expect(createBudget({ ...ratios, window: 400_000 }).trigger).toBe(340_000);
    });

    it('triggers later in a large window if the user sets this', () => {
      expect(createBudget({ ...ratios, triggerRatio: 0.7, window: 1_000_000 }).trigger).toBe(700_000);
      expect(createBudget({ ...ratios, triggerTokens: 800_000, window: 1_000_000 }).trigger).toBe(800_000);
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

  describe('the range for background compactions', () => {
    const rangeOf = (settings: Partial<BudgetSettings>) =>
      createBudget({ ...ratios, window: 200_000, backgroundRatio: 0.75, ...settings }).background;

    it('begins below the trigger, and ends just below the window', () => {
      expect(rangeOf({})).toEqual({ from: 150_000, until: 190_000 });
    });

    it('moves down with a lower trigger', () => {
      expect(rangeOf({ triggerRatio: 0.5, targetRatio: 0.3 })).toEqual({ from: 88_235, until: 111_764 });
      expect(rangeOf({ triggerTokens: 85_000 })).toEqual({ from: 75_000, until: 95_000 });
    });

    it('does not move up with a higher trigger', () => {
      expect(rangeOf({ triggerRatio: 0.9 })).toMatchObject({ from: 150_000 });
    });

    it('always begins above the target', () => {
      expect(rangeOf({ targetRatio: 0.8 })).toMatchObject({ from: 160_001 });
    });

    it.each([
      ['it is turned off', { backgroundRatio: undefined }],
      ['it would begin at the trigger', { triggerRatio: 0.5, targetRatio: 0.49999, window: 100 }],
      ['neither a window nor a size is known', { window: undefined }],
    ])('is undefined if %s', (_where, settings) => {
      expect(rangeOf(settings)).toBeUndefined();
    });
  });

  describe('targetFor', () => {
    const budget = createBudget({ ...ratios, window: 100_000, triggerTokens: 20_000 });

    it('is the target of the budget for a soft requirement', () => {
      expect(targetFor({ source: 'ratio', requirement: 'soft', tokens: 90_000 }, budget)).toBe(budget.target);
    });

    it('depends only on the window for a hard requirement, not on the preferred size', () => {
      expect(targetFor({ source: 'overflow', requirement: 'hard', tokens: 120_000 }, budget)).toBe(85_000);
    });

    it('is a share of the current size if messages or turns were the trigger', () => {
      const small = createBudget({ triggerRatio: 0.8, targetRatio: 0.4, window: 100_000 });
      expect(targetFor({ source: 'messages', requirement: 'soft', tokens: 10_000 }, small)).toBe(5_000);
      expect(targetFor({ source: 'turns', requirement: 'soft', tokens: 90_000 }, small)).toBe(40_000);
    });

    it('is undefined if neither a window nor a size is known', () => {
      const unknown = createBudget(ratios);
      expect(targetFor({ source: 'manual', requirement: 'soft', tokens: 9_000 }, unknown)).toBeUndefined();
    });
  });
});

describe('the cost of a compaction', () => {
  const usage = (total: number) => ({ ...emptyUsage, total });
  const [a, b, c] = [typed('m1', 'a'), said('m2', 'b'), typed('m3', 'c')];

  it('counts everything after the first change as a cache miss', () => {
    const cost = costOf([a, b, c], [a, said('m2', 'x'), c], [usage(100), usage(10), usage(20)], 90);
    expect(cost.cacheMissTokens).toBe(30);
  });

  it('counts the calls until the savings have paid for the compaction', () => {
    // 1,000 tokens written at 1.25 instead of read at 0.1 cost 1,150; each call saves 500 reads at 0.1, which is 50.
    expect(costOf([a, b], [b], [usage(1_000)], 500).breakEvenCalls).toBe(23);
  });

  it('has no break-even point if the compaction saves nothing', () => {
    expect(costOf([a, b], [b], [usage(1_000)], 0).breakEvenCalls).toBeNull();
  });
});

describe('the allocation of the window', () => {
  it('has default shares that add up to 100 %', () => {
    expect(Object.values(defaultAllocation).reduce((total, share) => total + share, 0)).toBe(100);
  });

  it('counts memory as system messages, and calls and summaries as conversation', () => {
    expect(groupOf('memory')).toBe('system');
    expect(groupOf('toolCall')).toBe('conversation');
    expect(groupOf('summary')).toBe('conversation');
  });

  it('gives tool results the shares of both tool output and documents', () => {
    expect(shareOf('toolResult')).toBe(45);
  });
});
