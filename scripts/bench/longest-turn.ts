/** Times of something that is waited for, in milliseconds. */
export interface Turns {
  /** Longest that this thread worked without a pause: for so long nothing else of it could run. */
  readonly longest: number;
  /** From the start to the end, waiting for the disk included. */
  readonly whole: number;
}

/**
 * Measures each turn of the event loop until a promise is settled. Real time, because the processor time of a thread is
 * known in steps of some milliseconds only; what else runs on the machine may add to it.
 *
 * @throws what the work threw
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<Turns> {
  let longest = 0;
  let isOver = false;
  const start = performance.now();
  let before = start;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = performance.now();
    if (!isOver) setImmediate(look);
  };
  const done = work();
  setImmediate(look);
  try {
    await done;
  } finally {
    isOver = true;
  }
  const end = performance.now();
  return { longest: Math.max(longest, end - before), whole: end - start };
}
