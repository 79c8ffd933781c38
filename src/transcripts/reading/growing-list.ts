import { isBeginning } from '../../compaction/messages/memoise.ts';

/** A list that is read value by value. */
interface Reading<Value> {
  /** Reads the next value. @returns false if it changes what was read before; then all values are read again */
  add(value: Value): unknown;
}

/**
 * Creates a function that reads lists value by value. If a list begins with all values of the list read before, only
 * the others are read. Lists with the same first value displace one another.
 *
 * @param start begins a reading of these values
 * @returns a function whose result is valid until the next list with the same first value
 */
export function readGrowing<Value extends object, Read extends Reading<Value>>(
  start: (values: readonly Value[]) => Read,
): (values: readonly Value[]) => Read {
  const known = new WeakMap<Value, { readonly values: readonly Value[]; readonly reading: Read }>();
  const started = (values: readonly Value[]): Read => {
    const reading = start(values);
    for (const value of values) reading.add(value);
    return reading;
  };
  return (values) => {
    const [first] = values;
    if (first === undefined) return start(values);
    const before = known.get(first);
    // If a value cannot be read, nothing is continued.
    known.delete(first);
    const isGrown =
      before !== undefined &&
      isBeginning(before.values, values) &&
      values.slice(before.values.length).every((value) => before.reading.add(value) !== false);
    const reading = isGrown ? before.reading : started(values);
    known.set(first, { values, reading });
    return reading;
  };
}
