import {
  type Attributes,
  element,
  type ItemView,
  KeyedList,
  type KeyedListOptions,
  setAttribute,
} from './dom.ts';

/** Number of items in a group. A group is drawn and skipped as a whole. */
const groupSize = 25;

interface GroupedListOptions<Item, View extends ItemView<Item>> extends KeyedListOptions<Item, View> {
  /** The end that users see first. */
  readonly from: 'start' | 'end';
  /** Attributes of the element around each group. A group without children is not drawn yet. */
  readonly group: Attributes;
  /** Attributes of the element around a group that is drawn later. */
  readonly laterGroup?: Attributes;
  /** Called after a later group was drawn. */
  readonly onDrawn?: () => void;
}

interface Group<Item> {
  readonly id: string;
  readonly items: Item[];
}

/**
 * A list that is too long for a browser to lay out in every frame, or for users to wait for. Its items are in groups,
 * and an invisible group is skipped as a whole. The groups at one end are drawn immediately. The others are drawn
 * when they are near the window, when their items are requested, or when the page is idle. An item stays in its group
 * as long as the order of the list allows this.
 */
export class GroupedList<Item, View extends ItemView<Item>> {
  private readonly options: GroupedListOptions<Item, View>;
  private readonly groups: KeyedList<Group<Item>, GroupView<Item, View>>;
  /** Key of an item → number of its group. Numbers increase along the list. */
  private groupOf: ReadonlyMap<string, number> = new Map();
  private isDrawingSoon = false;

  /** @param root element without other children */
  constructor(root: HTMLElement, options: GroupedListOptions<Item, View>) {
    this.options = options;
    this.groups = new KeyedList<Group<Item>, GroupView<Item, View>>(root, {
      keyOf: ({ id }) => id,
      create: (group) => new GroupView(group, options),
      isSame: (shown, { items }) =>
        shown.items.length === items.length && items.every((item, index) => item === shown.items[index]),
    });
  }

  get(key: string): View | undefined {
    return this.groups
      .get(String(this.groupOf.get(key)))
      ?.drawn()
      .get(key);
  }

  /** The views of all items, in the order of the list. */
  *views(): Iterable<View> {
    for (const group of this.groups.views()) yield* group.drawn().views();
  }

  /** Draws all groups, for code that reads the elements of the list directly. */
  drawAll(): void {
    for (const group of this.groups.views()) group.drawn();
  }

  /** The first item that ends below a height, in pixels from the top of the page. */
  firstBelow(top: number): Element | undefined {
    const group = firstBelow([...this.groups.views()], top);
    return group && firstBelow([...group.drawn().views()], top)?.element;
  }

  render(items: Iterable<Item>): void {
    const groupOf = new Map<string, number>();
    const groups: Group<Item>[] = [];
    let last: Group<Item> | undefined;
    const all = [...items];
    let number = this.numberBefore(all);
    for (const item of all) {
      const key = this.options.keyOf(item);
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
    this.groups.render(groups);
    this.drawFirst();
    this.drawSoon();
  }

  /** A number below those of all groups. New items before all others need a separate group. */
  private numberBefore(items: readonly Item[]): number {
    const first = items.findIndex((item) => this.groupOf.has(this.options.keyOf(item)));
    if (first < 0) return 0;
    const known = this.groupOf.get(this.options.keyOf(items[first]!)) ?? 0;
    return known - 1 - Math.ceil(first / groupSize);
  }

  /** Draws one group of items at the end that the user sees first. */
  private drawFirst(): void {
    let count = 0;
    for (const group of this.inOrderOfLook()) {
      if (count >= groupSize) break;
      group.draw();
      count += group.size;
    }
  }

  /** Draws the other groups, each in a separate task, so that other work does not have to wait long. */
  private drawSoon(): void {
    if (this.isDrawingSoon || this.nextToDraw() === undefined) return;
    this.isDrawingSoon = true;
    const draw = () => {
      this.isDrawingSoon = false;
      this.nextToDraw()?.drawn();
      this.drawSoon();
    };
    whenIdle(draw);
  }

  private nextToDraw(): GroupView<Item, View> | undefined {
    return this.inOrderOfLook().find(({ isDrawn }) => !isDrawn);
  }

  private inOrderOfLook(): readonly GroupView<Item, View>[] {
    const groups = [...this.groups.views()];
    return this.options.from === 'start' ? groups : groups.reverse();
  }
}

class GroupView<Item, View extends ItemView<Item>> implements ItemView<Group<Item>> {
  readonly element: HTMLElement;
  private readonly options: GroupedListOptions<Item, View>;
  private readonly list: KeyedList<Item, View>;
  private items: readonly Item[];
  private hasDrawn = false;

  constructor({ items }: Group<Item>, options: GroupedListOptions<Item, View>) {
    this.items = items;
    this.options = options;
    this.element = element('div', options.group);
    this.list = new KeyedList<Item, View>(this.element, options);
    this.element.addEventListener('contentvisibilityautostatechange', (event) => {
      if (event instanceof ContentVisibilityAutoStateChangeEvent && !event.skipped) this.drawn();
    });
  }

  get isDrawn(): boolean {
    return this.hasDrawn;
  }

  get size(): number {
    return this.items.length;
  }

  draw(): void {
    if (this.hasDrawn) return;
    this.hasDrawn = true;
    this.list.render(this.items);
  }

  /** The items of the group. Draws them if necessary. */
  drawn(): KeyedList<Item, View> {
    if (!this.hasDrawn) {
      for (const [name, value] of Object.entries(this.options.laterGroup ?? {})) {
        setAttribute(this.element, name, value);
      }
      this.draw();
      this.options.onDrawn?.();
    }
    return this.list;
  }

  update({ items }: Group<Item>): void {
    this.items = items;
    if (this.hasDrawn) this.list.render(items);
  }
}

function firstBelow<Shown extends { readonly element: HTMLElement }>(
  shown: readonly Shown[],
  top: number,
): Shown | undefined {
  let [low, high] = [0, shown.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shown[middle]?.element.getBoundingClientRect().bottom ?? 0) > top) high = middle;
    else low = middle + 1;
  }
  return shown[low];
}

/** Schedules low-priority work. Safari lacks priorities and runs it in the next task. */
function whenIdle(work: () => void): void {
  if ('scheduler' in globalThis) void scheduler.postTask(work, { priority: 'background' });
  else setTimeout(work);
}
