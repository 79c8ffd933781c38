import { describe, expect, it } from 'vitest';
import { exponentOf, growthOf, growthPoints } from '../../scripts/bench/growth.ts';
import { chartOf } from '../../scripts/growth-chart.ts';

const pointOf = (work: string, tokens: number, time: number) => ({ work, tokens, time, memory: 2_000 });

describe('exponentOf', () => {
  it('is 1 for linear growth, 2 for quadratic growth and 0 for none', () => {
    const points = (exponent: number) =>
      [10, 1_000, 50_000].map((tokens) => pointOf('count', tokens, 3 * tokens ** exponent));
    for (const exponent of [0, 1, 2]) expect(exponentOf(points(exponent))).toBeCloseTo(exponent);
  });
});

describe('growthPoints', () => {
  it('puts the time and the memory of the same work together', () => {
    const measures = [
      { name: 'Exponent of the time to count', value: 1 },
      { name: 'count, 10,000 tokens: time', value: 5 },
      { name: 'count, 10,000 tokens: memory', value: 70 },
    ];
    expect(growthPoints(measures)).toEqual([{ work: 'count', tokens: 10_000, time: 5, memory: 70 }]);
  });
});

describe('chartOf', () => {
  it('draws a line for each work in each of two panels, with labels apart from each other', () => {
    const points = ['count', 'append'].flatMap((work) => [pointOf(work, 1e4, 1), pointOf(work, 1e6, 100)]);
    const chart = chartOf(growthOf(points));
    expect(chart.match(/<polyline/g)).toHaveLength(4);
    const labels = [...chart.matchAll(/y="([\d.]+)" style="fill: [^"]+">(?:count|append)</g)];
    const [one, two] = labels.map(([, y]) => Number(y));
    expect(Math.abs(one! - two!)).toBeGreaterThanOrEqual(12);
  });
});
