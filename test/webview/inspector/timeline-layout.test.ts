import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MarkPoint } from '../../../src/protocol/inspector-timeline.ts';
import {
  columnsOf,
  headHeight,
  layoutOf,
  plotBottom,
} from '../../../webview/inspector/timeline/timeline-layout.ts';
import {
  type Call,
  emptyTimeline,
  receiveTimeline,
} from '../../../webview/inspector/state/timeline-state.ts';
import { usage } from '../support/inspector-fixtures.ts';
import { call, timelineAnswer } from '../support/tab-fixtures.ts';

function callsOf(...sizes: readonly number[]): readonly Call[] {
  return receiveTimeline(emptyTimeline, timelineAnswer({ calls: sizes.map((tokens) => call(tokens)) })).calls;
}

/** A session without limits. */
const { window: _window, trigger: _trigger, ...none } = usage;
/** A session of another agent. */
const fullness = { tokens: 90_000, basis: 'reported', alternatives: [] } as const;

type Content = Parameters<typeof layoutOf>[0];

function chart(calls: readonly Call[], changes: Partial<Content> = {}) {
  const range = { from: 0, to: calls.length };
  return layoutOf({ calls, marks: [], usage: none, range, width: 600, ...changes });
}

/** The points of a path, without the commands between them. */
function pointsOf(path: string): readonly (readonly [x: number, y: number])[] {
  return [...path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

/** The top of all areas at a horizontal position. */
function topAt(layout: ReturnType<typeof chart>, at: number): number {
  const points = layout.areas.flatMap(({ path }) => pointsOf(path));
  return Math.min(...points.filter(([x]) => x === at).map(([, y]) => y));
}

const compaction: MarkPoint = {
  type: 'compaction',
  atCall: 2,
  recordId: 'r1',
  status: 'applied',
  strategy: 'ladder',
  tokensBefore: 40_000,
  tokensAfter: 10_000,
};

describe('the columns of a timeline', () => {
  it('are one for each request if there is room', () => {
    expect(columnsOf(callsOf(1, 2, 3, 4, 5), { from: 2, to: 5 }, 100)).toEqual([
      { from: 2, to: 3, peak: 2 },
      { from: 3, to: 4, peak: 3 },
      { from: 4, to: 5, peak: 4 },
    ]);
  });

  it('are at most 300, cover all requests, and show the largest request each', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(200_000), { minLength: 1, maxLength: 2_000 }),
        fc.integer({ min: 3, max: 2_000 }),
        (sizes, width) => {
          const columns = columnsOf(callsOf(...sizes), { from: 0, to: sizes.length }, width);
          expect(columns.length).toBeLessThanOrEqual(Math.min(300, width));
          expect(columns.flatMap(({ from, to }) => sizes.slice(from, to))).toEqual(sizes);
          for (const { from, to, peak } of columns)
            expect(sizes[peak]).toBe(Math.max(...sizes.slice(from, to)));
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('the areas of a timeline', () => {
  it('are as high as their tokens', () => {
    const layout = chart(callsOf(20_000, 100_000));
    const heights = [150, 450].map((x) => plotBottom - topAt(layout, x));
    expect(heights[1]! / heights[0]!).toBeCloseTo(5, 1);
  });

  it('slope between requests, and are upright at a compaction', () => {
    const layout = chart(callsOf(10_000, 40_000, 10_000), { marks: [compaction], width: 300 });
    const tops = layout.areas.flatMap(({ path }) => pointsOf(path)).filter(([x]) => x === 200);
    expect(Math.min(...tops.map(([, y]) => y))).toBe(topAt(layout, 150));
    expect(new Set(layout.areas.map(({ path }) => path.split('M').length - 1))).toEqual(new Set([2]));
  });

  it('are those of kinds that occur', () => {
    expect(chart(callsOf(50_000)).areas.map(({ kind }) => kind)).toEqual([
      'system',
      'tools',
      'memory',
      'user',
      'assistant',
      'toolCall',
      'toolResult',
      'summary',
    ]);
  });
});

describe('the line of reported tokens', () => {
  const [known, unknown] = callsOf(70_000, 70_000);
  const calls = [{ ...known!, reported: 100_000 }, unknown!];

  it('is drawn to the scale of the axis, over requests with a report', () => {
    const layout = chart(calls);
    const { y } = layout.ticks.find(({ tokens }) => tokens === 100_000)!;
    expect(pointsOf(layout.reported).map(([x, at]) => [x, Math.round(at)])).toEqual([
      [0, Math.round(y)],
      [150, Math.round(y)],
    ]);
  });

  it('has an area below it for what is not in the file of another agent', () => {
    expect(chart(calls).beyond).toBe('');
    expect(chart(calls, { usage: { ...none, fullness } }).beyond).not.toBe('');
  });
});

describe('the limits of a timeline', () => {
  it('are lines at their size', () => {
    const { limits, ticks } = chart(callsOf(90_000), { usage: { ...none, trigger: 40_000 } });
    expect(limits[0]!.y).toBe(ticks.find(({ tokens }) => tokens === 40_000)!.y);
  });

  it('are those of another agent, if its session shows any', () => {
    const namesIn = (content: Partial<Content>) =>
      chart(callsOf(90_000), content).limits.map(({ name }) => name);
    expect(namesIn({ usage: { ...none, fullness } })).toEqual([]);
    expect(namesIn({ usage: { ...none, fullness: { ...fullness, compactsAt: 80_000 } } })).toEqual([
      'trigger',
    ]);
  });

  it('are above the chart if they would flatten it', () => {
    const { limits, areas } = chart(callsOf(2_000), { usage: { ...none, window: 200_000 } });
    expect(limits).toEqual([{ name: 'window', tokens: 200_000, y: undefined }]);
    const top = Math.min(...areas.flatMap(({ path }) => pointsOf(path)).map(([, y]) => y));
    expect(top - headHeight).toBeLessThan(20);
  });
});

describe('below the areas of a timeline', () => {
  it('misses of the cache are marked', () => {
    const calls = callsOf(10_000, 20_000, 30_000, 40_000).map((one, index) => ({
      ...one,
      isMissed: index === 1 || index === 2,
    }));
    expect(chart(calls).misses.split('M').length - 1).toBe(2);
  });

  it('costs are bars with the sum of each column', () => {
    const calls = callsOf(1_000, 1_000).map((one) => ({ ...one, cost: 0.02 }));
    expect(chart(calls)).toMatchObject({ highestCost: 0.02 });
    expect(chart(calls, { width: 3 }).highestCost).toBe(0.04);
    expect(chart(callsOf(1_000)).costs).toBe('');
  });
});

describe('the marks of a timeline', () => {
  const many = callsOf(...Array.from({ length: 100 }, () => 1_000));
  const marksAt = (...places: readonly number[]) =>
    chart(many, { marks: places.map((atCall) => ({ ...compaction, atCall })) }).marks;

  it('are together if they are too close to be pointed at', () => {
    expect(marksAt(40, 41, 60).map(({ marks }) => marks.length)).toEqual([2, 1]);
    expect(marksAt(97, 100).map(({ marks }) => marks.length)).toEqual([2]);
  });

  it('have their name before them at the end', () => {
    expect(marksAt(50, 100).map(({ isBefore }) => isBefore)).toEqual([false, true]);
  });
});

describe('the gridlines of a timeline', () => {
  it('are few, and at round numbers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 2_000_000 }), (tokens) => {
        const { ticks } = chart(callsOf(tokens));
        expect(ticks.length).toBeGreaterThan(2);
        expect(ticks.length).toBeLessThan(7);
      }),
    );
    expect(chart(callsOf(110_000)).ticks.map(({ tokens }) => tokens)).toEqual([0, 50_000, 100_000]);
  });
});
