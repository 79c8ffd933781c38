import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { slowness, timeLimit } from '../../scripts/machine-speed.ts';

/** Milliseconds after which a wait without a change ends, on an idle machine. */
const patience = 60_000;

const interval = 50;

/** Checks an expectation repeatedly until it holds, because pages are drawn asynchronously. */
export function eventually<Value>(read: () => Promise<Value>): ReturnType<typeof expect.poll<Value>> {
  return expect.poll(read, { timeout: timeLimit(patience) });
}

/**
 * Waits until expectations about another window, a file or a process hold.
 *
 * @throws the last failure if it has not changed for a while, which is longer on a slow or busy machine
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
