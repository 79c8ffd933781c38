import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketsOf, ticksOf } from '../../../webview/inspector/timeline/timeline-data.ts';

describe('the bars of a timeline', () => {
  it('are drawn for each request if there is room', () => {
    const buckets = bucketsOf({ from: 2, to: 5 }, 100, (index) => index);
    expect(buckets).toEqual([
      { from: 2, to: 3, peak: 2 },
      { from: 3, to: 4, peak: 3 },
      { from: 4, to: 5, peak: 4 },
    ]);
  });

  it('fit the width, cover all requests and show the largest request in each bar', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(200_000), { minLength: 1, maxLength: 600 }),
        fc.integer({ min: 2, max: 300 }),
        (sizes, width) => {
          const buckets = bucketsOf({ from: 0, to: sizes.length }, width, (index) => sizes[index]!);
          expect(buckets.length).toBeLessThanOrEqual(Math.floor(width / 2));
          const covered = buckets.flatMap(({ from, to }) => sizes.slice(from, to));
          expect(covered).toEqual(sizes);
          for (const { from, to, peak } of buckets) {
            expect(sizes[peak]).toBe(Math.max(...sizes.slice(from, to)));
          }
        },
      ),
    );
  });
});

describe('the gridlines of a timeline', () => {
  it('are at round numbers', () => {
    expect(ticksOf(110_000)).toEqual([0, 50_000, 100_000]);
    expect(ticksOf(1_080_000)).toEqual([0, 500_000, 1_000_000]);
  });

  it('are three to six lines, evenly spaced, at any scale', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), (scale) => {
        const ticks = ticksOf(scale);
        expect(ticks.length).toBeGreaterThan(2);
        expect(ticks.length).toBeLessThan(7);
        expect(ticks.at(-1)).toBeLessThanOrEqual(scale);
        expect(ticks.every((tick, index) => Math.abs(tick - index * ticks[1]!) < 1e-6)).toBe(true);
      }),
    );
  });
});
