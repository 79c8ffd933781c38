/** Number of items in a group. */
const groupSize = 20;

interface Group<Item> {
  readonly id: string;
  readonly items: readonly Item[];
}

/**
 * Divides a list into groups. An item stays in its group as long as the order of the list allows this, and a group whose
 * items are the same stays the same object.
 */
export class Grouping<Item> {
  private readonly keyOf: (item: Item) => string;
  /** Key of an item → number of its group. Numbers increase along the list. */
  private groupOf: ReadonlyMap<string, number> = new Map();
  private groups = new Map<string, Group<Item>>();

  constructor(keyOf: (item: Item) => string) {
    this.keyOf = keyOf;
  }

  /** Index of the group of an item, or −1. */
  indexOf(key: string): number {
    const id = String(this.groupOf.get(key));
    return [...this.groups.keys()].indexOf(id);
  }

  divide(items: readonly Item[]): readonly Group<Item>[] {
    const groupOf = new Map<string, number>();
    const groups: { readonly id: string; readonly items: Item[] }[] = [];
    let last: (typeof groups)[number] | undefined;
    let number = this.numberBefore(items);
    for (const item of items) {
      const key = this.keyOf(item);
      const known = this.groupOf.get(key);
      const isFull = known === undefined && (last?.items.length ?? groupSize) >= groupSize;
      if (last === undefined || (known ?? number) > number || isFull) {
        number = Math.max(known ?? number, number + 1);
        last = { id: String(number), items: [] };
        groups.push(last);
      }
      groupOf.set(key, number);
      last.items.push(item);
    }
    this.groupOf = groupOf;
    const next = groups.map((group) => {
      const shown = this.groups.get(group.id);
      return shown !== undefined && isSame(shown.items, group.items) ? shown : group;
    });
    this.groups = new Map(next.map((group) => [group.id, group]));
    return next;
  }

  /** A number below the numbers of all groups. New items before all others need a separate group. */
  private numberBefore(items: readonly Item[]): number {
    const first = items.findIndex((item) => this.groupOf.has(this.keyOf(item)));
    const item = items[first];
    if (item === undefined) return 0;
    return (this.groupOf.get(this.keyOf(item)) ?? 0) - 1 - Math.ceil(first / groupSize);
  }
}

function isSame<Item>(shown: readonly Item[], items: readonly Item[]): boolean {
  return shown.length === items.length && items.every((item, index) => item === shown[index]);
}
