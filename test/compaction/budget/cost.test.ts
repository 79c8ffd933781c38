import { describe, expect, it } from 'vitest';
import { costOf } from '../../../src/compaction/budget/cost.ts';
import { emptyUsage } from '../../../src/compaction/tokens/usage.ts';
import { said, typed } from '../../support/messages.ts';

const usage = (total: number) => ({ ...emptyUsage, total });
const [a, b, c] = [typed('m1', 'a'), said('m2', 'b'), typed('m3', 'c')];

describe('costOf', () => {
  it('counts what stands behind the first change as a cache miss', () => {
    const cost = costOf([a, b, c], [a, said('m2', 'x'), c], [usage(100), usage(10), usage(20)], 90);
    expect(cost.cacheMissTokens).toBe(30);
  });

  it('says after how many calls the savings have paid for it', () => {
    // 1,000 tokens written at 1.25 instead of read at 0.1 cost 1,150; each call saves 500 reads at 0.1, which is 50.
    expect(costOf([a, b], [b], [usage(1_000)], 500).breakEvenCalls).toBe(23);
  });

  it('has no break-even where nothing is saved', () => {
    expect(costOf([a, b], [b], [usage(1_000)], 0).breakEvenCalls).toBeNull();
  });
});
