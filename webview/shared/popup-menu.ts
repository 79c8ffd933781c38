import { element, plainButton } from './dom.ts';

export interface MenuItem {
  readonly label: string;
  /** The shortcut that is shown next to the item. */
  readonly keys?: string;
  readonly run: () => void;
}

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

  /**
   * Opens the menu and focuses its first item.
   *
   * @param groups items, with a line between groups
   * @param opener element that is focused again after closing
   */
  open(groups: readonly (readonly MenuItem[])[], place: MenuPlace, opener: HTMLElement): void {
    this.opened?.abort();
    if (groups.length === 0) return;
    const closed = new AbortController();
    this.opened = closed;
    const { signal } = closed;
    const menu = element('div', { class: 'menu', role: 'menu', 'aria-label': this.label });
    const leave = () => {
      closed.abort();
      opener.focus({ preventScroll: true });
    };
    groups.forEach((items, index) => {
      if (index > 0) menu.append(element('div', { class: 'menu-line', role: 'separator' }));
      for (const { label, keys, run } of items) {
        const choose = () => {
          leave();
          run();
        };
        const hint =
          keys === undefined ? [] : [element('span', { class: 'menu-keys', 'aria-hidden': 'true' }, keys)];
        const attributes = { class: 'menu-item', role: 'menuitem', tabindex: -1, 'aria-keyshortcuts': keys };
        menu.append(plainButton(attributes, choose, label, ...hint));
      }
    });
    signal.addEventListener('abort', () => menu.remove());
    menu.addEventListener('keydown', (event) => keyPressed(event, menu, leave));
    menu.addEventListener('contextmenu', (event) => event.preventDefault());
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        if (!(target instanceof Node && menu.contains(target))) closed.abort();
      },
      { signal, capture: true },
    );
    menu.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) closed.abort();
    });
    window.addEventListener('resize', () => closed.abort(), { signal });
    document.body.append(menu);
    const { width, height } = menu.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    menu.style.left = `${Math.max(margin, Math.min(place.left, clientWidth - width - margin))}px`;
    menu.style.top = `${Math.max(margin, Math.min(place.top, clientHeight - height - margin))}px`;
    menu.querySelector<HTMLElement>('.menu-item')?.focus({ preventScroll: true });
  }
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
  return ahead.find(({ textContent }) => textContent.toLowerCase().startsWith(letter));
}
