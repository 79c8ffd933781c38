import { expect } from 'vitest';

/** Milliseconds in which even a busy machine draws. */
const patience = 30_000;

/** Expects something of a value as soon as it is true of it: a page draws when it is ready to. */
export function eventually<Value>(read: () => Promise<Value>): ReturnType<typeof expect.poll<Value>> {
  return expect.poll(read, { timeout: patience });
}
