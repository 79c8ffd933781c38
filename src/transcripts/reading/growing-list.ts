import { isBeginning } from '../../compaction/messages/memoise.ts';

/** A reading of a list, with the values that it has read. */
interface Known<Value, Reading> {
  readonly values: readonly Value[];
  readonly reading: Reading;
}

/**
 * Creates a function that reads lists value by value. If a list begins with all values of the list read before, only
 * the others are read. Lists with the same first value displace one another.
 *
 * @param start begins a reading of these values
 * @param add reads the next value. Returns false if it changes what was read before; then all values are read again
 * @returns a function whose result is valid until the next list with the same first value
 */
export function readGrowing<Value extends object, Reading>(
  start: (values: readonly Value[]) => Reading,
  add: (reading: Reading, value: Value) => boolean,
): (values: readonly Value[]) => Reading {
  const known = new WeakMap<Value, Known<Value, Reading>>();
  const continued = (before: Known<Value, Reading>, values: readonly Value[]): Reading | undefined => {
    if (!isBeginning(before.values, values)) return undefined;
    for (let index = before.values.length; index < values.length; index++) {
      if (!add(before.reading, values[index]!)) return undefined;
    }
    return before.reading;
  };
  const started = (values: readonly Value[]): Reading => {
    const reading = start(values);
    for (const value of values) add(reading, value);
    return reading;
  };
  return (values) => {
    const [first] = values;
    if (first === undefined) return start(values);
    const before = known.get(first);
    // If a value cannot be read, nothing is continued.
    known.delete(first);
    const reading = (before && continued(before, values)) ?? started(values);
    known.set(first, { values, reading });
    return reading;
  };
}
