import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Slices } from '../../../src/compaction/signals/time-slices.ts';

describe('slices of work', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('end after five milliseconds', () => {
    const slices = new Slices(() => Promise.resolve());
    expect(slices.isOver).toBe(false);
    vi.advanceTimersByTime(5);
    expect(slices.isOver).toBe(true);
  });

  it('end if the clock is set back', () => {
    const slices = new Slices(() => Promise.resolve());
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(slices.isOver).toBe(true);
  });

  it('start again after other work was done', async () => {
    const turns: string[] = [];
    const slices = new Slices(() => {
      turns.push('other work');
      return Promise.resolve();
    });
    vi.advanceTimersByTime(20);
    await slices.next();
    expect(turns).toEqual(['other work']);
    expect(slices.isOver).toBe(false);
  });
});
