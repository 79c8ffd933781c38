import { css, html, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { addStyles, Component } from './component.ts';
import { hasFocus } from './keyboard.ts';
import { styled } from './styled.ts';

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  /** Accessible name of the list. */
  readonly label: string;
  /** Height of a row that has not been drawn yet, in pixels. */
  readonly rowHeight: number;
  readonly keyOf: (item: Item) => string;
  /**
   * Draws a row, and draws it again only if the props change. The element with `data-stop` gets the focus when the
   * arrow keys reach the row.
   */
  readonly row: (item: Item, index: number) => TemplateResult;
  /** Draws the rows again when it changes: everything outside the items that rows depend on. */
  readonly version?: unknown;
}

interface Reveal {
  /** True to focus the row as well. */
  readonly focus?: boolean;
  readonly align?: 'auto' | 'center';
}

/** Indexes of the first and the last visible row. */
export interface VisibleRows {
  readonly first: number;
  readonly last: number;
}

/** Rows that are drawn beyond each edge of the page. */
const overscan = 12;
/** Height at the top of the page that sticky heads may cover, in pixels. */
const covered = 40;
/** Maximum number of corrections of a scroll, because rows that come into sight may be higher or lower than estimated. */
const mostTries = 4;

/**
 * A list that draws only the rows near the visible part of the page, and the focused one. Rows may have any height,
 * and may change it. It is one tab stop: the arrow keys, Home and End move between rows.
 *
 * @fires cb-rows-drawn with the visible rows (`VisibleRows`), after each change of what is drawn
 */
export class VirtualList<Item> extends Component<VirtualListProps<Item>> {
  /** Key of a row → its height when it was drawn last. */
  private readonly heights = new Map<string, number>();
  /** Tops of all rows, and the height of the list. */
  private tops: readonly number[] = [0];
  /** The items of the tops; undefined if heights have changed. */
  private placed: readonly Item[] | undefined;
  private visible: VisibleRows = { first: 0, last: 0 };
  private readonly keys = new WeakMap<Element, string>();
  private readonly rowSizes = new ResizeObserver((entries) => {
    for (const { target } of entries) this.measure(target as HTMLElement);
  });
  /** Anything that moves the list, such as content above it, changes the height of the page. */
  private readonly pageSize = new ResizeObserver(() => this.requestUpdate());
  /** Row that is the tab stop, and stays drawn while it has the focus. */
  private current = 0;
  private hasFocus = false;
  /** True if the focus was in the list before it was drawn. */
  private hadFocus = false;
  private readonly moved = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('scroll', this.moved, { passive: true });
    window.addEventListener('resize', this.moved);
    this.pageSize.observe(document.body);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('scroll', this.moved);
    window.removeEventListener('resize', this.moved);
    this.pageSize.disconnect();
  }

  /** Scrolls to a row. */
  async reveal(index: number, { focus = false, align = 'auto' }: Reveal = {}): Promise<void> {
    const { length } = this.props.items;
    if (length === 0) return;
    this.current = Math.max(0, Math.min(length - 1, index));
    this.hasFocus ||= focus;
    for (let tries = 0; tries < mostTries; tries++) {
      const before = window.scrollY;
      window.scrollTo({ top: this.placeOf(this.current, align) });
      this.requestUpdate();
      await this.updateComplete;
      if (Math.abs(window.scrollY - before) < 1) break;
    }
    if (focus) this.stopOf(this.current)?.focus({ preventScroll: true });
  }

  protected override willUpdate(changes: PropertyValues): void {
    super.willUpdate(changes);
    const { items, keyOf, rowHeight } = this.props;
    this.hadFocus = hasFocus(this);
    this.current = Math.max(0, Math.min(items.length - 1, this.current));
    if (this.placed !== items) {
      let top = 0;
      this.tops = [0, ...items.map((item) => (top += this.heights.get(keyOf(item)) ?? rowHeight))];
      this.placed = items;
    }
    const shown = -this.getBoundingClientRect().top;
    this.visible = { first: this.rowAt(shown), last: this.rowAt(shown + window.innerHeight) };
  }

  protected override render(): TemplateResult {
    const { items, label, keyOf, row, version } = this.props;
    const { first, last } = this.visible;
    const from = Math.max(0, first - overscan);
    const drawn = items
      .slice(from, last + 1 + overscan)
      .map((item, place) => ({ item, index: from + place }));
    const focused = items[this.current];
    const isOutside = this.current < from || this.current >= from + drawn.length;
    if (this.hasFocus && isOutside && focused !== undefined) {
      drawn.splice(this.current < from ? 0 : drawn.length, 0, { item: focused, index: this.current });
    }
    return html`<div
      class="virtual-rows"
      role="list"
      aria-label=${label}
      ${styled({ height: `${this.tops.at(-1) ?? 0}px` })}
      @keydown=${this.move}
      @focusin=${this.focused}
      @focusout=${this.blurred}
    >
      ${repeat(
        drawn,
        ({ item }) => keyOf(item),
        ({ item, index }) =>
          html`<div
            class="virtual-row"
            role="listitem"
            data-index=${index}
            aria-setsize=${items.length}
            aria-posinset=${index + 1}
            ${styled({ transform: `translateY(${this.tops[index] ?? 0}px)` })}
          >
            ${guard([item, index, row, version], () => row(item, index))}
          </div>`,
      )}
    </div>`;
  }

  protected override updated(): void {
    const { items, keyOf } = this.props;
    for (const row of this.querySelectorAll<HTMLElement>(':scope > .virtual-rows > .virtual-row')) {
      const index = Number(row.dataset['index']);
      const item = items[index];
      if (!this.keys.has(row) && item !== undefined) {
        this.keys.set(row, keyOf(item));
        this.rowSizes.observe(row);
        this.measure(row);
      }
      const stop = row.querySelector<HTMLElement>('[data-stop]');
      const tabIndex = index === this.current ? 0 : -1;
      if (stop !== null && stop.getAttribute('tabindex') !== String(tabIndex)) stop.tabIndex = tabIndex;
    }
    // The focused element may be gone, such as a button after it was used.
    if (this.hadFocus && document.activeElement === document.body)
      this.stopOf(this.current)?.focus({ preventScroll: true });
    this.dispatchEvent(new CustomEvent('cb-rows-drawn', { detail: this.visible }));
  }

  /** Stores the height of a drawn row. Visible rows stay in place if the height of a row above them changes. */
  private measure(row: HTMLElement): void {
    const key = this.keys.get(row);
    const { height } = row.getBoundingClientRect();
    const known = key === undefined ? undefined : this.heights.get(key);
    if (key === undefined || height === 0 || height === known) return;
    this.heights.set(key, height);
    const change = height - (known ?? this.props.rowHeight);
    if (change === 0) return;
    this.placed = undefined;
    if (Number(row.dataset['index']) < this.visible.first) window.scrollBy(0, change);
    this.requestUpdate();
  }

  /** Index of the row at a height of the list, in pixels. */
  private rowAt(height: number): number {
    let [low, high] = [0, Math.max(0, this.tops.length - 2)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.tops[middle] ?? 0) <= height) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Position of the page at which a row is in sight, in pixels. */
  private placeOf(index: number, align: 'auto' | 'center'): number {
    const { scrollY, innerHeight } = window;
    const start = this.getBoundingClientRect().top + scrollY;
    const [top, bottom] = [start + (this.tops[index] ?? 0), start + (this.tops[index + 1] ?? 0)];
    if (align === 'center') return (top + bottom - innerHeight) / 2;
    if (top < scrollY + covered) return top - covered;
    return bottom > scrollY + innerHeight ? bottom - innerHeight : scrollY;
  }

  private readonly move = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (!(event.target instanceof HTMLElement) || !event.target.matches('[data-stop]')) return;
    const last = this.props.items.length - 1;
    const next = { ArrowDown: this.current + 1, ArrowUp: this.current - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    void this.reveal(next, { focus: true });
  };

  private readonly focused = ({ target }: FocusEvent): void => {
    const row = target instanceof HTMLElement ? target.closest<HTMLElement>('.virtual-row') : null;
    if (row === null) return;
    this.hasFocus = true;
    this.current = Number(row.dataset['index']);
    this.requestUpdate();
  };

  private readonly blurred = (): void => {
    this.hasFocus = false;
  };

  private stopOf(index: number): HTMLElement | null {
    return this.querySelector<HTMLElement>(`.virtual-row[data-index="${index}"] [data-stop]`);
  }
}

customElements.define('cb-virtual-list', VirtualList);

/** Draws a virtual list. See `VirtualList`. */
export function virtualList<Item>(props: VirtualListProps<Item>): TemplateResult {
  return html`<cb-virtual-list .props=${props}></cb-virtual-list>`;
}

addStyles(css`
  cb-virtual-list {
    display: block;
  }
  .virtual-rows {
    position: relative;
    overflow-anchor: none;
  }
  .virtual-row {
    position: absolute;
    top: 0;
    left: 0;
    width: 100%;
  }
`);
