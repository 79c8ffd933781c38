import { describe, expect, it } from 'vitest';
import { createBudget, type BudgetSettings } from '../../../src/compaction/budget/budget.ts';
import { triggerRange } from '../../../src/extension/inspector/trigger-range.ts';

const rangeOf = (changes: Partial<BudgetSettings> = {}) =>
  triggerRange(createBudget({ window: 100_000, triggerRatio: 0.85, targetRatio: 0.5, ...changes }));

describe('where the trigger can be put', () => {
  it('is above the target and below the room for the reply', () => {
    expect(rangeOf()).toEqual({
      ratio: 0.85,
      least: 0.51,
      most: 0.87,
      leastReason: 'target',
      mostReason: 'reserve',
    });
  });

  it('ends where the setting ends, where nothing else is in the way', () => {
    expect(rangeOf({ targetRatio: 0.05, reservedOutput: 0 })).toMatchObject({
      least: 0.1,
      most: 0.99,
      leastReason: 'setting',
      mostReason: 'setting',
    });
  });

  it('ends at a number of tokens that starts a compaction in any case', () => {
    expect(rangeOf({ triggerTokens: 70_000, targetRatio: 0.4 })).toMatchObject({
      most: 0.7,
      mostReason: 'tokens',
    });
  });

  it('is as it is set, also where the reply needs the room earlier', () => {
    expect(rangeOf({ triggerRatio: 0.95 })).toMatchObject({ ratio: 0.95, most: 0.87 });
  });

  it('is nowhere without a window', () => {
    expect(rangeOf({ window: undefined, triggerTokens: 9_000 })).toBeUndefined();
  });
});
