import { setImmediate as nextTurn } from 'node:timers/promises';
import { Slices } from '../compaction/signals/time-slices.ts';

/** Resolves when the last queued slice may begin. */
let latest: Promise<void> = Promise.resolve();
const slices = new Slices(() => (latest = latest.then(() => nextTurn())));

/** Returns slices of long work. Events are handled in between. All work shares one queue of slices. */
export function nodeSlices(): Slices {
  return slices;
}

/** Returns slices of short work that the user waits for. They do not wait for other work. */
export function urgentSlices(): Slices {
  return new Slices(() => nextTurn());
}

/** Maximum characters copied to another thread at a time, in about a millisecond. */
const charactersAtOnce = 1 << 16;
/** Maximum number of values copied at a time. */
const valuesAtOnce = 200;

/** Divides values into portions that another thread can take without blocking this one. @param lengthOf characters */
export function* inPortions<T>(
  values: readonly T[],
  lengthOf: (value: T) => number,
): Generator<readonly T[], void, undefined> {
  let portion: T[] = [];
  let characters = 0;
  for (const value of values) {
    portion.push(value);
    characters += lengthOf(value);
    if (characters < charactersAtOnce && portion.length < valuesAtOnce) continue;
    yield portion;
    [portion, characters] = [[], 0];
  }
  if (portion.length > 0) yield portion;
}
