import { element, type ItemView, KeyedList, type KeyedListOptions } from '../dom.ts';

/** Items that are one element. */
const groupSize = 50;

interface Group<Item> {
  readonly id: string;
  readonly items: Item[];
}

interface GroupView<Item, View extends ItemView<Item>> extends ItemView<Group<Item>> {
  readonly list: KeyedList<Item, View>;
}

/**
 * A list so long that a browser should not look at each item in every frame: its items stand in groups, and a group
 * that is not seen is skipped as a whole. An item stays in its group as long as the order of the list allows it.
 */
export class GroupedList<Item, View extends ItemView<Item>> {
  private readonly root: HTMLElement;
  private readonly keyOf: (item: Item) => string;
  private readonly groups: KeyedList<Group<Item>, GroupView<Item, View>>;
  /** Key of an item → number of its group. Numbers grow along the list. */
  private groupOf: ReadonlyMap<string, number> = new Map();

  /** @param root must have no other children */
  constructor(root: HTMLElement, options: KeyedListOptions<Item, View>) {
    this.root = root;
    this.keyOf = (item) => options.keyOf(item);
    this.groups = new KeyedList<Group<Item>, GroupView<Item, View>>(root, {
      keyOf: ({ id }) => id,
      create: (group) => groupView(group, options),
      isSame: (shown, { items }) =>
        shown.items.length === items.length && items.every((item, index) => item === shown.items[index]),
    });
  }

  get(key: string): View | undefined {
    return this.groups.get(String(this.groupOf.get(key)))?.list.get(key);
  }

  /** In the order of the list. */
  *views(): Iterable<View> {
    for (const { list } of this.groups.views()) yield* list.views();
  }

  /** The first item that ends below a line, in pixels of the page. */
  firstBelow(top: number): Element | undefined {
    const group = firstBelow(this.root.children, top);
    return group === undefined ? undefined : firstBelow(group.children, top);
  }

  render(items: Iterable<Item>): void {
    const groupOf = new Map<string, number>();
    const groups: Group<Item>[] = [];
    let last: Group<Item> | undefined;
    let number = 0;
    for (const item of items) {
      const key = this.keyOf(item);
      const known = this.groupOf.get(key) ?? 0;
      const isFull = known === 0 && (last?.items.length ?? groupSize) >= groupSize;
      if (known > number || isFull) {
        number = Math.max(known, number + 1);
        last = { id: String(number), items: [] };
        groups.push(last);
      }
      groupOf.set(key, number);
      last?.items.push(item);
    }
    this.groupOf = groupOf;
    this.groups.render(groups);
  }
}

function groupView<Item, View extends ItemView<Item>>(
  group: Group<Item>,
  options: KeyedListOptions<Item, View>,
): GroupView<Item, View> {
  const root = element('div', { class: 'rows' });
  const list = new KeyedList<Item, View>(root, options);
  list.render(group.items);
  return { element: root, list, update: ({ items }) => list.render(items) };
}

function firstBelow(elements: HTMLCollection, top: number): Element | undefined {
  let [low, high] = [0, elements.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((elements[middle]?.getBoundingClientRect().bottom ?? 0) > top) high = middle;
    else low = middle + 1;
  }
  return elements[low];
}
