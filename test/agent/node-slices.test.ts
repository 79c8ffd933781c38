import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { nodeSlices } from '../../src/agent/node-slices.ts';

describe('slices of concurrent work', () => {
  it('alternate between the tasks, one slice in each round of the event loop', async () => {
    const begun: { readonly work: string; readonly round: number }[] = [];
    const start = async (work: string): Promise<void> => {
      const slices = nodeSlices();
      for (let slice = 0; slice < 3; slice++) {
        await slices.next();
        begun.push({ work, round: performance.nodeTiming.uvMetricsInfo.loopCount });
      }
    };
    await Promise.all(['one', 'another'].map(start));
    expect(new Set(begun.map(({ round }) => round)).size).toBe(begun.length);
    expect(begun.map(({ work }) => work)).toEqual(['one', 'another', 'one', 'another', 'one', 'another']);
  });
});
