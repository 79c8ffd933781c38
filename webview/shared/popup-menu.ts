import { css, html, nothing, render } from 'lit';
import { addStyles } from './component.ts';

export interface MenuItem {
  readonly label: string;
  /** The shortcut that is shown next to the item. */
  readonly keys?: string;
  /** A fact that is shown next to the item. */
  readonly detail?: string;
  /** True or false for an item that is one of several choices. */
  readonly isChosen?: boolean;
  readonly run: () => void;
}

/** Items between two lines, with a heading or without. */
type MenuGroup = readonly MenuItem[] | { readonly label: string; readonly items: readonly MenuItem[] };

interface MenuPlace {
  /** Position in pixels from the left and the top edge of the page. */
  readonly left: number;
  readonly top: number;
}

/** Minimum distance between a menu and the edges of the page, in pixels. */
const margin = 4;

/** A menu over the page. Only one is open at a time. It closes on Escape, Tab, and any action elsewhere. */
export class PopupMenu {
  private readonly label: string;
  private opened: AbortController | undefined;

  /** @param label accessible name of the menu */
  constructor(label: string) {
    this.label = label;
  }

  /** Opens the menu below a button. */
  openBelow(groups: readonly MenuGroup[], opener: HTMLElement): void {
    const { left, bottom } = opener.getBoundingClientRect();
    this.open(groups, { left, top: bottom }, opener);
  }

  /**
   * Opens the menu and focuses its chosen item, or its first one.
   *
   * @param groups items, with a line between groups
   * @param opener element that is focused again after closing
   */
  open(groups: readonly MenuGroup[], place: MenuPlace, opener: HTMLElement): void {
    this.opened?.abort();
    const filled = groups
      .map((group) => ('items' in group ? group : { label: '', items: group }))
      .filter(({ items }) => items.length > 0);
    if (filled.length === 0) return;
    const closed = new AbortController();
    this.opened = closed;
    const { signal } = closed;
    const leave = () => {
      closed.abort();
      opener.focus({ preventScroll: true });
    };
    const parent = document.createElement('div');
    render(
      html`<div
        class="menu"
        role="menu"
        aria-label=${this.label}
        @keydown=${(event: KeyboardEvent) => keyPressed(event, menu, leave)}
        @contextmenu=${(event: Event) => event.preventDefault()}
        @focusout=${({ relatedTarget }: FocusEvent) => {
          if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) closed.abort();
        }}
      >
        ${filled.map(({ label, items }, index) => [
          index === 0 ? nothing : html`<div class="menu-line" role="separator"></div>`,
          html`<div role=${label === '' ? 'none' : 'group'} aria-label=${label === '' ? nothing : label}>
            ${label === '' ? nothing : html`<div class="menu-label" aria-hidden="true">${label}</div>`}
            ${items.map((item) => itemTemplate(item, leave))}
          </div>`,
        ])}
      </div>`,
      parent,
    );
    const menu = parent.firstElementChild as HTMLElement;
    signal.addEventListener('abort', () => parent.remove());
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        if (!(target instanceof Node && menu.contains(target))) closed.abort();
      },
      { signal, capture: true },
    );
    window.addEventListener('resize', () => closed.abort(), { signal });
    document.body.append(parent);
    const { width, height } = menu.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    menu.style.left = `${Math.max(margin, Math.min(place.left, clientWidth - width - margin))}px`;
    menu.style.top = `${Math.max(margin, Math.min(place.top, clientHeight - height - margin))}px`;
    const first = menu.querySelector<HTMLElement>('[aria-checked=true]') ?? menu.querySelector('button');
    first?.focus({ preventScroll: true });
  }
}

function itemTemplate({ label, keys, detail, isChosen, run }: MenuItem, leave: () => void): unknown {
  const hint = keys ?? detail;
  return html`<button
    type="button"
    class="menu-item"
    role=${isChosen === undefined ? 'menuitem' : 'menuitemradio'}
    aria-checked=${isChosen ?? nothing}
    aria-keyshortcuts=${keys ?? nothing}
    tabindex="-1"
    @click=${() => {
      leave();
      run();
    }}
  >
    <span>${label}</span>
    ${
      hint === undefined
        ? nothing
        : html`<span class="menu-hint" aria-hidden=${keys === undefined ? nothing : 'true'}>${hint}</span>`
    }
  </button>`;
}

function keyPressed(event: KeyboardEvent, menu: HTMLElement, leave: () => void): void {
  const items = [...menu.querySelectorAll<HTMLElement>('.menu-item')];
  const current = items.findIndex((item) => item === document.activeElement);
  const focus = (index: number) => items.at(index % items.length)?.focus({ preventScroll: true });
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => focus(current + 1),
    ArrowUp: () => focus(current - 1),
    Home: () => focus(0),
    End: () => focus(-1),
    Escape: leave,
    Tab: leave,
  };
  const typed = event.key.length === 1 && event.key !== ' ' ? event.key.toLowerCase() : undefined;
  const act =
    moves[event.key] ??
    (typed === undefined
      ? undefined
      : () => startingWith(items, current, typed)?.focus({ preventScroll: true }));
  if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** The next item whose label begins with a letter. */
function startingWith(
  items: readonly HTMLElement[],
  current: number,
  letter: string,
): HTMLElement | undefined {
  const ahead = [...items.slice(current + 1), ...items.slice(0, current + 1)];
  return ahead.find(({ textContent }) => textContent.trim().toLowerCase().startsWith(letter));
}

addStyles(css`
  .menu {
    position: fixed;
    z-index: 5;
    max-width: calc(100vw - 8px);
    max-height: calc(100vh - 8px);
    padding: 4px;
    overflow: hidden auto;
    border: 1px solid var(--vscode-menu-border, var(--vscode-contrastBorder, var(--line)));
    border-radius: 6px;
    background: var(--vscode-menu-background, var(--surface));
    color: var(--vscode-menu-foreground, var(--fg));
    box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
  }
  .menu-item {
    display: flex;
    gap: 24px;
    justify-content: space-between;
    width: 100%;
    padding: 3px 10px;
    border-radius: var(--radius);
    overflow-wrap: anywhere;
    &:is(:hover, :focus) {
      background: var(--vscode-menu-selectionBackground, var(--hover));
      color: var(--vscode-menu-selectionForeground, inherit);
    }
    body.vscode-high-contrast &:is(:hover, :focus) {
      outline: 1px solid var(--vscode-contrastActiveBorder, var(--focus));
    }
  }
  .menu-item[role='menuitemradio']::before {
    flex: none;
    width: 1em;
    margin-inline-end: -16px;
    content: '';
  }
  .menu-item[aria-checked='true']::before {
    content: '✓';
  }
  .menu-item > span:first-child {
    flex: 1;
  }
  .menu-hint {
    flex: none;
    opacity: 0.75;
  }
  .menu-label {
    padding: 2px 10px;
    color: var(--dim);
    font-size: var(--small);
  }
  .menu-line {
    margin: 4px 0;
    border-top: 1px solid var(--vscode-menu-separatorBackground, var(--line));
  }
`);
