import { describe, expect, it } from 'vitest';
import { worthwhileBatch } from '../../../src/compaction/budget/batching.ts';

const anthropic = { read: 0.1, write: 1.25 };

describe('worthwhileBatch', () => {
  it('is about 13,000 tokens for 10,000 behind the change and 750 more at every call', () => {
    expect(Math.round(worthwhileBatch(10_000, 750, anthropic) / 1_000)).toBe(13);
  });

  it('is least where every batch costs as much as what waiting for it costs', () => {
    const [miss, growth] = [8_000, 500];
    const costPerCall = (batch: number) =>
      ((anthropic.write - anthropic.read) * miss * growth) / batch + (anthropic.read * batch) / 2;
    const best = worthwhileBatch(miss, growth, anthropic);
    expect(costPerCall(best)).toBeLessThan(costPerCall(best * 1.2));
    expect(costPerCall(best)).toBeLessThan(costPerCall(best * 0.8));
  });

  it('is nothing where a cache costs nothing to write, and never where reading is free', () => {
    expect(worthwhileBatch(10_000, 500, { read: 1, write: 1 })).toBe(0);
    expect(worthwhileBatch(10_000, 500, { read: 0, write: 1 })).toBe(Number.POSITIVE_INFINITY);
  });
});
