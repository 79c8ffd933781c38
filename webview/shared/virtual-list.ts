import {
  measureElement,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll,
  defaultRangeExtractor,
} from '@tanstack/virtual-core';
import { css, html, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { addStyles, Component } from './component.ts';
import { styled } from './styled.ts';

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  /** Accessible name of the list. */
  readonly label: string;
  /** Height of a row that has not been drawn yet, in pixels. */
  readonly rowHeight: number;
  readonly keyOf: (item: Item) => string;
  /** Draws a row. The element with `data-stop` gets the focus when the arrow keys reach the row. */
  readonly row: (item: Item, index: number) => TemplateResult;
  /** Draws the rows again when it changes: everything outside the items that rows depend on. */
  readonly version?: unknown;
}

interface Reveal {
  /** True to focus the row as well. */
  readonly focus?: boolean;
  readonly align?: 'auto' | 'center';
}

/** Rows that are drawn beyond each edge of the page. */
const overscan = 12;

/**
 * A list that draws only the rows near the visible part of the page, and the focused one. Rows may have any height,
 * and may change it. It is one tab stop: the arrow keys, Home and End move between rows.
 */
export class VirtualList<Item> extends Component<VirtualListProps<Item>> {
  private readonly virtualizer = new Virtualizer(this.options());
  /** Anything that moves the list, such as content above it, changes the height of the page. */
  private readonly pageSize = new ResizeObserver(() => this.requestUpdate());
  private unmount: (() => void) | undefined;
  /** Row that is the tab stop, and stays drawn while it has the focus. */
  private current = 0;
  private hasFocus = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.unmount = this.virtualizer._didMount();
    this.pageSize.observe(document.body);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unmount?.();
    this.pageSize.disconnect();
  }

  /** Scrolls to a row. */
  async reveal(index: number, { focus = false, align = 'auto' }: Reveal = {}): Promise<void> {
    const { length } = this.props.items;
    if (length === 0) return;
    this.current = Math.max(0, Math.min(length - 1, index));
    this.hasFocus ||= focus;
    this.virtualizer.scrollToIndex(this.current, { align });
    this.requestUpdate();
    await this.updateComplete;
    if (focus) this.stopOf(this.current)?.focus({ preventScroll: true });
  }

  protected override willUpdate(changes: PropertyValues): void {
    super.willUpdate(changes);
    this.current = Math.max(0, Math.min(this.props.items.length - 1, this.current));
    this.virtualizer.setOptions(this.options());
    this.virtualizer._willUpdate();
  }

  protected override render(): TemplateResult {
    const { items, label, keyOf, row } = this.props;
    const { scrollMargin } = this.virtualizer.options;
    return html`<div
      class="virtual-rows"
      role="list"
      aria-label=${label}
      ${styled({ height: `${this.virtualizer.getTotalSize()}px` })}
      @keydown=${this.move}
      @focusin=${this.focused}
      @focusout=${this.blurred}
    >
      ${repeat(
        this.virtualizer.getVirtualItems().flatMap((place) => {
          const item = items[place.index];
          return item === undefined ? [] : { place, item };
        }),
        ({ item }) => keyOf(item),
        ({ place, item }) =>
          html`<div
            class="virtual-row"
            role="listitem"
            data-index=${place.index}
            aria-setsize=${items.length}
            aria-posinset=${place.index + 1}
            ${styled({ transform: `translateY(${place.start - scrollMargin}px)` })}
          >
            ${row(item, place.index)}
          </div>`,
      )}
    </div>`;
  }

  protected override updated(): void {
    for (const row of this.querySelectorAll<HTMLElement>(':scope > .virtual-rows > .virtual-row')) {
      this.virtualizer.measureElement(row);
      const isCurrent = Number(row.dataset['index']) === this.current;
      const stop = row.querySelector<HTMLElement>('[data-stop]');
      if (stop !== null) stop.tabIndex = isCurrent ? 0 : -1;
    }
  }

  private options(): VirtualizerOptions<Window, HTMLElement> {
    // Lit creates an element before it sets its props.
    const { items = [], rowHeight = 24, keyOf } = (this.props as VirtualListProps<Item> | undefined) ?? {};
    const top = this.isConnected ? this.getBoundingClientRect().top + window.scrollY : 0;
    return {
      count: items.length,
      getScrollElement: () => window,
      estimateSize: () => rowHeight,
      getItemKey: (index: number) => {
        const item = items[index];
        return item === undefined || keyOf === undefined ? index : keyOf(item);
      },
      scrollMargin: Math.round(top),
      overscan,
      scrollToFn: windowScroll,
      observeElementRect: observeWindowRect,
      observeElementOffset: observeWindowOffset,
      measureElement,
      initialOffset: () => window.scrollY,
      rangeExtractor: (range) => {
        const drawn = defaultRangeExtractor(range);
        if (!this.hasFocus || drawn.includes(this.current) || this.current >= items.length) return drawn;
        return [...drawn, this.current].sort((one, other) => one - other);
      },
      onChange: () => this.requestUpdate(),
    };
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
  .virtual-rows {
    position: relative;
  }
  .virtual-row {
    position: absolute;
    top: 0;
    left: 0;
    width: 100%;
  }
`);
