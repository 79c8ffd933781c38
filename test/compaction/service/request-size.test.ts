import { describe, expect, it } from 'vitest';
import { LearnedWindow, windowLearned } from '../../../src/compaction/service/request-size.ts';

describe('the window learned from a refused request', () => {
  it.each([
    { limit: 8_000, actual: 10_000, counted: 10_000, window: 7_200, why: 'a margin remains' },
    {
      limit: 8_000,
      actual: 20_000,
      counted: 10_000,
      window: 3_600,
      why: 'the provider’s tokens are smaller',
    },
    { limit: 8_000, actual: 9_000, counted: 18_000, window: 14_400, why: 'the provider’s tokens are larger' },
    { limit: undefined, actual: undefined, counted: 10_000, window: 9_000, why: 'no limit is named' },
    { limit: 32_000, actual: undefined, counted: 10_000, window: 9_000, why: 'a limit cannot be right' },
  ])('is $window if $why', ({ limit, actual, counted, window }) => {
    expect(windowLearned(limit, actual, counted)).toBe(window);
  });
});

describe('LearnedWindow', () => {
  it('uses the setting until a request was refused', () => {
    expect(new LearnedWindow().within(8_000)).toBe(8_000);
    expect(new LearnedWindow().within(undefined)).toBeUndefined();
  });

  it('keeps the smallest learned window', () => {
    const learned = new LearnedWindow();
    learned.learn(6_000, 8_000);
    learned.learn(7_000, 8_000);
    expect(learned.within(8_000)).toBe(6_000);
  });

  it('is never larger than the set window', () => {
    const learned = new LearnedWindow();
    learned.learn(9_000, 8_000);
    expect(learned.within(8_000)).toBe(8_000);
  });

  it('is used if the window was unknown', () => {
    const learned = new LearnedWindow();
    learned.learn(6_000, undefined);
    expect(learned.within(undefined)).toBe(6_000);
  });

  it('forgets the learned window when the model changes', () => {
    const learned = new LearnedWindow();
    learned.learn(6_000, 8_000);
    expect(learned.within(32_000)).toBe(32_000);
    learned.learn(30_000, 32_000);
    expect(learned.within(32_000)).toBe(30_000);
  });
});
