import { expect, vi } from 'vitest';

/** Milliseconds in which even a busy machine does what it is asked. Nothing waits for their end that holds earlier. */
const patience = 60_000;

/** Expects something of a value as soon as it is true of it: a page draws when it is ready to. */
export function eventually<Value>(read: () => Promise<Value>): ReturnType<typeof expect.poll<Value>> {
  return expect.poll(read, { timeout: patience });
}

/** Waits until expectations hold of what happens elsewhere: in another window, in a file, in a process. */
export function until<Value>(hold: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(hold, { timeout: patience });
}
