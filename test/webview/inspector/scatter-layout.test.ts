import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scatterOf, type ScatterPoint } from '../../../webview/inspector/what-if/scatter-layout.ts';

const point = (key: string, tokens: number, share: number): ScatterPoint => ({
  key,
  title: `Strategy ${key}`,
  tokens,
  share,
});

describe('the picture of strategies', () => {
  it('has few tokens on the left, and many kept facts at the top', () => {
    const { points } = scatterOf([point('a', 1_000, 1), point('b', 9_000, 0.5)], 800, 200);
    const [a, b] = points;
    expect(a!.x).toBeLessThan(b!.x);
    expect(a!.y).toBeLessThan(b!.y);
  });

  it('draws equal results once, with the number of the others', () => {
    const { points } = scatterOf(
      [point('a', 5_000, 1), point('b', 5_000, 1), point('c', 9_000, 1)],
      800,
      200,
    );
    expect(points.map(({ key, others }) => [key, others])).toEqual([
      ['a', ['Strategy b']],
      ['c', []],
    ]);
    expect(points[0]!.label?.text).toBe('Strategy a +1');
  });

  it('names only the six most important', () => {
    const rows = Array.from({ length: 9 }, (_, index) => point(String(index), 20_000 * (index + 1), 1));
    const named = scatterOf(rows, 2_000, 200).points.filter(({ label }) => label !== undefined);
    expect(named.map(({ key }) => key)).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  it('connects the strategies that keep more than every smaller one', () => {
    const rows = [point('a', 1_000, 0.5), point('b', 5_000, 0.4), point('c', 9_000, 1)];
    const { points, frontier } = scatterOf(rows, 800, 200);
    expect(frontier).toEqual([points[0], points[2]].map((one) => [one!.x, one!.y]));
  });

  it('never lays a label over another, over a point or over the edge', () => {
    const places = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: 0, max: 100 })),
      { maxLength: 22 },
    );
    fc.assert(
      fc.property(places, fc.integer({ min: 320, max: 1_400 }), (all, width) => {
        const drawn = scatterOf(
          all.map(([tokens, share], index) => point(String(index), tokens, share / 100)),
          width,
          200,
        );
        const boxes = drawn.points.flatMap(({ label }) => {
          if (label === undefined) return [];
          const length = label.text.length * 7;
          const left = label.x - { start: 0, middle: length / 2, end: length }[label.anchor];
          return [{ left, right: left + length, top: label.y - 10, bottom: label.y + 3 }];
        });
        for (const [index, box] of boxes.entries()) {
          expect(box.left).toBeGreaterThanOrEqual(0);
          expect(box.right).toBeLessThanOrEqual(width);
          for (const other of boxes.slice(index + 1))
            expect(
              box.right <= other.left ||
                other.right <= box.left ||
                box.bottom <= other.top ||
                other.bottom <= box.top,
            ).toBe(true);
        }
      }),
    );
  });
});
