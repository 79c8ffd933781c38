import { setImmediate as nextTurn } from 'node:timers/promises';
import { Slices } from '../compaction/signals/slices.ts';

/** Resolves when the last slice that waits so far may begin. */
let latest: Promise<void> = Promise.resolve();
const slices = new Slices(() => (latest = latest.then(() => nextTurn())));

/**
 * Slices of work between which this program's event loop goes round. All long work shares them: if each piece of work
 * had a slice in the same round, or one began where another ended, the round would be as long as all of them.
 */
export function nodeSlices(): Slices {
  return slices;
}

/** Slices of short work that a person waits for: it begins at once, and waits for no other work. */
export function urgentSlices(): Slices {
  return new Slices(() => nextTurn());
}

/** Characters that are copied to another thread at once: that takes a fraction of a millisecond. */
const charactersAtOnce = 1 << 18;
/** Values that are copied at once. */
const valuesAtOnce = 200;

/**
 * Divides values into portions that can be copied to another thread without holding up this one.
 *
 * @param lengthOf characters of a value, roughly
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
