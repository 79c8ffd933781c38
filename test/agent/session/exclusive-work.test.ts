import { describe, expect, it } from 'vitest';
import { ExclusiveWork } from '../../../src/agent/session/exclusive-work.ts';

/** Lets all pending promise callbacks run. */
async function settle(): Promise<void> {
  for (let hop = 0; hop < 100; hop++) await Promise.resolve();
}

describe('ExclusiveWork', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
    'runs work that is added %i promise steps after the last pause',
    async (steps) => {
      const work = new ExclusiveWork(() => {});
      const running = work.run(() => Promise.resolve());
      let isDone = false;
      void work
        .atPause(() => Promise.resolve())
        .then(async () => {
          for (let step = 0; step < steps; step++) await Promise.resolve();
          await work.atPause(() => Promise.resolve());
          isDone = true;
        });
      await running;
      await settle();
      expect(isDone).toBe(true);
    },
  );

  it('finishes the other waiting work if one task fails in the last pause', async () => {
    const outcomes: string[] = [];
    const work = new ExclusiveWork((wasStopped) => outcomes.push(wasStopped ? 'stopped' : 'ended'));
    const running = work.run(() => {
      work.inPause(() => Promise.reject(new Error('no space left')));
      work.inPause(() => {
        outcomes.push('done');
        return Promise.resolve();
      });
      return Promise.resolve();
    });
    await expect(running).rejects.toThrow('no space left');
    expect(work.isBusy).toBe(false);
    expect(outcomes).toEqual(['done', 'ended']);
  });
});
