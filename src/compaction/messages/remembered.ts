/**
 * A function of a value that never changes, whose result is kept as long as the value: a message, a call. Most messages
 * of a session are looked at again at every compaction, and what is read from one alone is the same every time.
 *
 * @param read depends on nothing but the value
 */
export function remembered<Value extends object, Result>(
  read: (value: Value) => Result,
): (value: Value) => Result {
  const known = new WeakMap<Value, { readonly result: Result }>();
  return (value) => {
    const found = known.get(value);
    if (found !== undefined) return found.result;
    const result = read(value);
    known.set(value, { result });
    return result;
  };
}

/** Lists whose results are kept: what a compaction looks at before, during and after, in a few sessions. */
const mostLists = 8;

interface KnownList<Value, Result> {
  readonly values: readonly Value[];
  readonly result: Result;
}

/**
 * The same for lists of such values. The results of the lists that were asked about last are kept, as long as their last
 * values. A list is the same if it holds the same values, whether or not it is the same array.
 */
export function rememberedList<Value extends object, Result>(
  read: (values: readonly Value[]) => Result,
): (values: readonly Value[]) => Result {
  /** By the last value, so that a session that is gone keeps nothing. */
  const known = new WeakMap<
    Value,
    { readonly lists: KnownList<Value, Result>[]; readonly last: WeakRef<Value> }
  >();
  const latest: WeakRef<Value>[] = [];
  return (values) => {
    const last = values.at(-1);
    if (last === undefined) return read(values);
    let entry = known.get(last);
    if (entry === undefined) {
      entry = { lists: [], last: new WeakRef(last) };
      known.set(last, entry);
    }
    const { lists } = entry;
    const found = lists.find((list) => isSameList(list.values, values));
    // A copy: an array that is still growing is another list later.
    const list = found ?? { values: [...values], result: read(values) };
    toFront(lists, list);
    toFront(latest, entry.last);
    lists.length = Math.min(lists.length, mostLists);
    const oldest = latest.length > mostLists ? latest.pop()?.deref() : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return list.result;
  };
}

function toFront<Value>(values: Value[], value: Value): void {
  if (values[0] === value) return;
  const place = values.indexOf(value);
  if (place > 0) values.splice(place, 1);
  values.unshift(value);
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  // A loop, because long lists are compared again and again.
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}
