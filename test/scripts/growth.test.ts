import { describe, expect, it } from 'vitest';
import { exponentOf } from '../../scripts/bench/growth.ts';

const pointOf = (work: string, tokens: number, time: number) => ({ work, tokens, time, memory: 2_000 });

describe('exponentOf', () => {
  it('is 1 for linear growth, 2 for quadratic growth and 0 for none', () => {
    const points = (exponent: number) =>
      [10, 1_000, 50_000].map((tokens) => pointOf('count', tokens, 3 * tokens ** exponent));
    for (const exponent of [0, 1, 2]) expect(exponentOf(points(exponent))).toBeCloseTo(exponent);
  });
});
