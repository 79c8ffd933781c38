import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { slowness, timeLimit } from '../../scripts/machine-speed.ts';

/** Milliseconds of a quiet machine after which a wait ends in which nothing changes. */
const patience = 60_000;

const interval = 50;

/** Expects something of a value as soon as it is true of it: a page draws when it is ready to. */
export function eventually<Value>(read: () => Promise<Value>): ReturnType<typeof expect.poll<Value>> {
  return expect.poll(read, { timeout: timeLimit(patience) });
}

/**
 * Waits until expectations hold of what happens elsewhere: in another window, in a file, in a process.
 *
 * @throws the last failure once it has stayed the same for a while; on a slow or busy machine for longer
 */
export async function until<Value>(hold: () => Value | Promise<Value>, quiet = patience): Promise<Value> {
  let seen: string | undefined;
  let left = quiet;
  let before = performance.now();
  for (;;) {
    try {
      return await hold();
    } catch (error) {
      const failure = String(error);
      if (failure !== seen) left = quiet;
      else if (left <= 0) throw error;
      seen = failure;
    }
    await setTimeout(interval);
    const now = performance.now();
    left -= (now - before) / slowness();
    before = now;
  }
}
