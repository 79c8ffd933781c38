import { expect, test } from 'vitest';
import { FaultCount, type FaultRow } from './fault-count.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Set by {@link fault}: a row of the table that `npm run test:faults` prints. */
    fault?: FaultRow;
  }
}

/**
 * A test that is one row of the table of faults. It counts attempts and harm, and fails for any harm and
 * without an attempt.
 *
 * @param what the row's name: the attack on the extension
 * @param run tries it; call `count.tried()` for each attempt, `count.harmed(how)` for one with an effect, or
 * `count.skip(reason)` if this machine cannot try it
 */
export function fault(what: string, run: (count: FaultCount) => Promise<void> | void): void {
  test(what, async (context) => {
    const count = new FaultCount();
    try {
      await run(count);
    } finally {
      context.task.meta.fault = count.row;
    }
    if (count.skipped !== undefined) context.skip(count.skipped);
    expect(count.harm).toEqual([]);
    expect(count.tries, 'attempts').toBeGreaterThan(0);
  });
}
