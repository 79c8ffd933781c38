import { beforeEach, describe, expect, it } from 'vitest';
import { Snapshots } from '../../../src/presenters/inspector/snapshots.ts';

/** A state that stays pending until the test resolves it. */
interface Making {
  readonly of: string;
  done(): void;
  fail(): void;
}

describe('snapshots', () => {
  let shown: string;
  let making: Making[];
  let posted: string[];
  let failures: unknown[];
  let snapshots: Snapshots<string>;

  beforeEach(() => {
    [shown, making, posted, failures] = ['chat', [], [], []];
    snapshots = new Snapshots<string>({
      shown: () => shown,
      make: () => {
        const of = shown;
        return new Promise((resolve, reject) => {
          making.push({ of, done: () => resolve(of), fail: () => reject(new Error(of)) });
        });
      },
      post: (state) => posted.push(state),
      failed: (error) => failures.push(error),
    });
  });

  /** Lets everything run that only waits for its turn. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('never show the chat again once a session is shown, even if counting the chat takes long', async () => {
    const refreshed = snapshots.refresh();
    shown = 'session';
    void snapshots.refresh();
    making[0]!.done();
    await settle();
    expect(posted).toEqual([]);
    making[1]!.done();
    await refreshed;
    expect(posted).toEqual(['session']);
  });

  it('are made again if the content changed in the meantime, even without a new request', async () => {
    const refreshed = snapshots.refresh();
    shown = 'session';
    making[0]!.done();
    await settle();
    making[1]!.done();
    await refreshed;
    expect(posted).toEqual(['session']);
  });

  it.each(Array.from({ length: 12 }, (_, ticks) => ticks))(
    'include a change that arrives %d ticks after a snapshot was started',
    async (ticks) => {
      const refreshed = snapshots.refresh();
      making[0]!.done();
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      shown = 'session';
      const again = snapshots.refresh();
      await settle();
      making.slice(1).forEach((made) => made.done());
      await settle();
      making.slice(2).forEach((made) => made.done());
      await Promise.all([refreshed, again]);
      expect(posted.at(-1)).toBe('session');
    },
  );

  it('are merged for simultaneous changes, and made one after another', async () => {
    const refreshed = snapshots.refresh();
    void snapshots.refresh();
    void snapshots.refresh();
    expect(making).toHaveLength(1);
    making[0]!.done();
    await settle();
    expect(making).toHaveLength(2);
    making[1]!.done();
    await refreshed;
    expect(posted).toEqual(['chat', 'chat']);
  });

  it('continue after one snapshot has failed', async () => {
    const refreshed = snapshots.refresh();
    void snapshots.refresh();
    making[0]!.fail();
    await settle();
    making[1]!.done();
    await refreshed;
    expect([posted, failures.length]).toEqual([['chat'], 1]);
  });
});
