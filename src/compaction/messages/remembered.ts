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

/**
 * The same for lists of such values. The results of the latest lists are kept, as long as their last values. A list is
 * the same if it holds the same values, whether or not it is the same array.
 */
export function rememberedList<Value extends object, Result>(
  read: (values: readonly Value[]) => Result,
): (values: readonly Value[]) => Result {
  /** By the last value, so that a session that is gone keeps nothing. */
  const known = new WeakMap<
    Value,
    readonly { readonly values: readonly Value[]; readonly result: Result }[]
  >();
  const latest: WeakRef<Value>[] = [];
  return (values) => {
    const last = values.at(-1);
    if (last === undefined) return read(values);
    const lists = known.get(last) ?? [];
    const found = lists.find((list) => isSameList(list.values, values));
    if (found !== undefined) return found.result;
    const result = read(values);
    // A copy: an array that is still growing is another list later.
    known.set(last, [{ values: [...values], result }, ...lists].slice(0, mostLists));
    if (lists.length === 0) latest.push(new WeakRef(last));
    const oldest = latest.length > mostLists ? latest.shift()?.deref() : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return result;
  };
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
