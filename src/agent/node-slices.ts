import { setImmediate as nextTurn } from 'node:timers/promises';
import { Slices } from '../compaction/signals/slices.ts';

/** Resolves when the last waiting slice may begin. */
let latest: Promise<void> = Promise.resolve();
const slices = new Slices(() => (latest = latest.then(() => nextTurn())));

/**
 * Slices of work that let this program's event loop run between them. All long work shares one queue, because otherwise
 * each piece of work could add a slice to the same round of the loop.
 */
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

/**
 * Divides values into portions that can be copied to another thread without blocking this one.
 * @param lengthOf approximate characters of a value
 */
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
