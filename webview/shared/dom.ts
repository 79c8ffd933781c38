/** The basics of pages: elements, and lists that keep their elements. */

export type Child = Node | string | undefined;

/** Attributes of an element. `false` and `undefined` leave one out. Styles are set through the element's `style`. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>> & {
  readonly style?: never;
};

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes?: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag];
export function element(tag: string, attributes?: Attributes, ...children: readonly Child[]): HTMLElement;
export function element(
  tag: string,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(made, name, value);
  for (const child of children) if (child !== undefined) made.append(child);
  return made;
}

/** Sets an attribute if its value differs. */
export function setAttribute(
  target: Element,
  name: string,
  value: string | number | boolean | undefined,
): void {
  if (value === undefined || value === false) {
    target.removeAttribute(name);
    return;
  }
  const text = value === true ? '' : String(value);
  if (target.getAttribute(name) !== text) target.setAttribute(name, text);
}

/** Sets text if it differs, so that selected text stays selected and nothing is announced twice. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** A plain button. The toolkit's buttons are only for those that should look like buttons. */
export function plainButton(
  attributes: Attributes,
  onClick: () => void,
  ...children: readonly Child[]
): HTMLButtonElement {
  const button = element('button', { type: 'button', ...attributes }, ...children);
  button.addEventListener('click', onClick);
  return button;
}

let identifiers = 0;

/** Returns an id that is unique on the page, for labels and controls that refer to each other. */
export function freshId(): string {
  return `e${++identifiers}`;
}

export interface ItemView<Item> {
  readonly element: HTMLElement;
  update(item: Item): void;
}

interface KeyedListOptions<Item, View extends ItemView<Item>> {
  keyOf(item: Item): string;
  /** Creates the view of a new item, which is complete until the item changes. */
  create(item: Item): View;
  /** True if the item need not be drawn again. By default, true if both are the same object. */
  isSame?(shown: Item, item: Item): boolean;
}

/**
 * Synchronises the children of an element with a list. Items that remain keep their elements, and with them focus,
 * selection, scroll position and opened parts.
 */
export class KeyedList<Item, View extends ItemView<Item> = ItemView<Item>> {
  private readonly parent: Element;
  private readonly options: KeyedListOptions<Item, View>;
  private shown = new Map<string, { item: Item; readonly view: View }>();

  /** @param parent element without other children */
  constructor(parent: Element, options: KeyedListOptions<Item, View>) {
    this.parent = parent;
    this.options = options;
  }

  get(key: string): View | undefined {
    return this.shown.get(key)?.view;
  }

  /** The views in the order of the list. */
  *views(): Iterable<View> {
    for (const { view } of this.shown.values()) yield view;
  }

  render(items: Iterable<Item>): void {
    const { options } = this;
    const next = new Map<string, { item: Item; readonly view: View }>();
    for (const item of items) {
      const key = options.keyOf(item);
      const entry = this.shown.get(key);
      if (entry === undefined) next.set(key, { item, view: options.create(item) });
      else {
        if (options.isSame?.(entry.item, item) !== true && entry.item !== item) {
          entry.item = item;
          entry.view.update(item);
        }
        next.set(key, entry);
      }
    }
    for (const [key, { view }] of this.shown) if (!next.has(key)) view.element.remove();
    this.shown = next;
    let cursor = this.parent.firstElementChild;
    for (const { view } of next.values()) {
      if (view.element === cursor) cursor = cursor.nextElementSibling;
      else this.parent.insertBefore(view.element, cursor);
    }
  }
}

/** True if a key belongs to an input method, which uses Enter and Escape to compose text. */
export function isForInputMethod(event: KeyboardEvent): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only sign if a composition ends before its key
  return event.isComposing || event.keyCode === 229;
}

/** The meaning of a key in a field: submit or leave; undefined for any other key. */
export function intentOf(event: KeyboardEvent): 'submit' | 'leave' | undefined {
  if (isForInputMethod(event)) return undefined;
  if (event.key === 'Enter' && !event.shiftKey && !event.altKey) return 'submit';
  return event.key === 'Escape' ? 'leave' : undefined;
}

/**
 * True while an element or a descendant has keyboard focus.
 *
 * A page remembers its active element while an editor, a list or an input box outside the page has the focus.
 * Focusing the successor of that element would then steal the focus.
 */
export function hasFocus(element: Element): boolean {
  return document.hasFocus() && element.contains(document.activeElement);
}
