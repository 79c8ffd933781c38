import { setImmediate as nextTurn } from 'node:timers/promises';
import { Slices } from '../compaction/signals/time-slices.ts';

/** Resolves when the last waiting slice may begin. */
let latest: Promise<void> = Promise.resolve();
const slices = new Slices(() => (latest = latest.then(() => nextTurn())));

/** Slices of long work between which the event loop runs. All share one queue, so that each round has one slice. */
export function nodeSlices(): Slices {
  return slices;
}

/** Slices of short work that the user waits for. It begins at once and waits for no other work. */
export function urgentSlices(): Slices {
  return new Slices(() => nextTurn());
}

/** Maximum characters copied to another thread at once, which takes a fraction of a millisecond. */
const charactersAtOnce = 1 << 18;
/** Maximum number of values copied at once. */
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
