/** Caches a function of an immutable value as long as the value exists. `read` must depend on nothing else. */
export function memoised<Value extends object, Result>(
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

/** Number of characters of the texts whose results are kept, in each of two generations. */
const mostCharacters = 500_000;

/** Caches a function of a text. Forgets the results of texts that were not needed for a long time. */
export function memoisedByText<Result>(read: (text: string) => Result): (text: string) => Result {
  let older: ReadonlyMap<string, { readonly result: Result }> = new Map();
  let newer = new Map<string, { readonly result: Result }>();
  let characters = 0;
  return (text) => {
    const recent = newer.get(text);
    if (recent !== undefined) return recent.result;
    const found = older.get(text) ?? { result: read(text) };
    if (characters > mostCharacters) {
      older = newer;
      newer = new Map();
      characters = 0;
    }
    newer.set(text, found);
    characters += text.length;
    return found.result;
  };
}

/** Number of lists of similar length whose results are kept: enough for one compaction in a few sessions. */
const mostLists = 8;

interface KnownList<Value, Result> {
  readonly values: readonly Value[];
  readonly result: Result;
}

/** Caches a function of lists of immutable values. Two arrays with the same values are the same list. */
export function memoisedByList<Value extends object, Result>(
  read: (values: readonly Value[]) => Result,
): (values: readonly Value[]) => Result {
  /** A cache for each magnitude of length, so that many short lists do not displace a whole session. */
  const caches: ((values: readonly Value[]) => Result)[] = [];
  return (values) => (caches[Math.clz32(values.length)] ??= cachingLists(read))(values);
}

function cachingLists<Value extends object, Result>(
  read: (values: readonly Value[]) => Result,
): (values: readonly Value[]) => Result {
  /** Keyed by the last value, so that closed sessions can be garbage-collected. */
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
    // Copies the array, because it may grow later.
    const list = found ?? { values: [...values], result: read(values) };
    toFront(lists, list);
    toFront(latest, entry.last);
    lists.length = Math.min(lists.length, mostLists);
    const oldest = latest.length > mostLists ? latest.pop()?.deref() : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return list.result;
  };
}

/** Caches a function of the list that begins with a value. Each value begins only one list, which may change. */
export function memoisedByFirst<Value extends object, Result>(
  read: (values: readonly Value[]) => Result,
): (values: readonly Value[]) => Result {
  const known = new WeakMap<Value, KnownList<Value, Result>>();
  return (values) => {
    const [first] = values;
    const found = first && known.get(first);
    if (found !== undefined && isSameList(found.values, values)) return found.result;
    const result = read(values);
    if (first !== undefined) known.set(first, { values: [...values], result });
    return result;
  };
}

function toFront<Value>(values: Value[], value: Value): void {
  if (values[0] === value) return;
  const place = values.indexOf(value);
  if (place > 0) values.splice(place, 1);
  values.unshift(value);
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && isBeginning(one, other);
}

/** True if a list begins with all values of the other. */
export function isBeginning(beginning: readonly unknown[], values: readonly unknown[]): boolean {
  return beginning.length <= values.length && sharedLength(beginning, values) === beginning.length;
}

/** Number of equal values at the beginning of two lists. A plain loop, because long lists are compared often. */
export function sharedLength(one: readonly unknown[], other: readonly unknown[]): number {
  const most = Math.min(one.length, other.length);
  for (let index = 0; index < most; index++) if (one[index] !== other[index]) return index;
  return most;
}
