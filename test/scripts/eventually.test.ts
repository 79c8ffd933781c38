import { describe, expect, it } from 'vitest';
import { slowness, timeLimit } from '../../scripts/machine-speed.ts';
import { until } from '../support/eventually.ts';

describe('until', () => {
  /** Milliseconds on a quiet machine, less than the total wait of the tests below. */
  const quiet = 200;

  it('returns the value as soon as the expectations hold', async () => {
    let tries = 0;
    const value = await until(() => {
      expect(++tries).toBe(3);
      return tries;
    });
    expect(value).toBe(3);
  });

  it('throws the last failure when nothing changes', async () => {
    const failing = until(() => Promise.reject(new Error('still closed')), quiet);
    await expect(failing).rejects.toThrow('still closed');
  });

  it('keeps waiting while the failure changes', async () => {
    let tries = 0;
    const many = 40;
    const value = await until(() => {
      if (++tries < many) throw new Error(`${tries} of ${many}`);
      return tries;
    }, quiet);
    expect(value).toBe(many);
  });
});

describe('timeLimit', () => {
  it('is never shorter than on an idle machine', () => {
    expect(slowness()).toBeGreaterThanOrEqual(1);
    expect(timeLimit(1_000)).toBeGreaterThanOrEqual(1_000);
  });
});
