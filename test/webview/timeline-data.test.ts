import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketsOf } from '../../webview/inspector/timeline/timeline-data.ts';

describe('bars of a timeline', () => {
  it('are one for each request where all of them have room', () => {
    const buckets = bucketsOf({ from: 2, to: 5 }, 100, (index) => index);
    expect(buckets).toEqual([
      { from: 2, to: 3, peak: 2 },
      { from: 3, to: 4, peak: 3 },
      { from: 4, to: 5, peak: 4 },
    ]);
  });

  it('never are more than have room, leave nothing out, and show the largest of theirs', () => {
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
