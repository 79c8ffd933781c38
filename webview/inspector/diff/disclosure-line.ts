import { createDisclosure, type Disclosure } from '../../shared/controls.ts';
import { setAttribute } from '../../shared/dom.ts';
import type { DiffContext } from './diff-context.ts';

interface DisclosureLineOptions {
  /** Key by which the page remembers that the line is open. */
  readonly key: string;
  readonly class: string;
  /** Fills the panel when it is opened. */
  readonly fill: (panel: HTMLElement) => void;
  readonly onToggle?: (isOpen: boolean) => void;
}

/**
 * A button in a list that expands the content below it. The keys that move through the list stop at the button, and
 * its content is its accessible name.
 */
export function disclosureLine(
  options: DisclosureLineOptions,
  { open }: Pick<DiffContext, 'open'>,
): Disclosure {
  const disclosure = createDisclosure({
    isOpen: open.has(options.key),
    class: options.class,
    onToggle: (isOpen) => {
      open.set(options.key, isOpen);
      // The content is discarded on closing, because texts can be large.
      disclosure.panel.replaceChildren();
      if (isOpen) options.fill(disclosure.panel);
      options.onToggle?.(isOpen);
    },
  });
  setAttribute(disclosure.button, 'data-stop', true);
  setAttribute(disclosure.button, 'data-key', options.key);
  setAttribute(disclosure.button, 'tabindex', -1);
  return disclosure;
}

const keys: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'Home', 'End']);

/**
 * Makes the buttons of a list one stop for the Tab key. The arrow keys, Home and End move between the buttons. They
 * have the attribute `data-stop` and are not in the tab order themselves.
 */
export class RovingStops {
  private readonly list: HTMLElement;
  private readonly drawAll: () => void;
  private current: HTMLElement | undefined;

  /** @param drawAll draws the rest of a partly drawn list before a key moves the focus */
  constructor(list: HTMLElement, drawAll: () => void = () => {}) {
    this.list = list;
    this.drawAll = drawAll;
    list.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement && target.dataset['stop'] !== undefined) this.moveTo(target);
    });
    list.addEventListener('keydown', (event) => this.keyPressed(event));
  }

  /** Keeps one visible row in the tab order after rows were added, removed or hidden. */
  refresh(): void {
    if (this.current !== undefined && this.list.contains(this.current) && isVisible(this.current)) return;
    const first = [...this.all()].find(isVisible);
    if (first !== undefined) this.moveTo(first);
  }

  private all(): NodeListOf<HTMLElement> {
    return this.list.querySelectorAll<HTMLElement>('[data-stop]');
  }

  private keyPressed(event: KeyboardEvent): void {
    // While the focus is in an opened text, these keys scroll the text.
    if (event.target !== this.current || !keys.has(event.key)) return;
    this.drawAll();
    const stops = [...this.all()].filter(isVisible);
    const index = stops.findIndex((stop) => stop === this.current);
    const places: Readonly<Record<string, number>> = {
      ArrowUp: index - 1,
      ArrowDown: index + 1,
      Home: 0,
      End: stops.length - 1,
    };
    const next = stops[places[event.key] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  }

  private moveTo(stop: HTMLElement): void {
    if (this.current !== undefined) this.current.tabIndex = -1;
    this.current = stop;
    stop.tabIndex = 0;
  }
}

function isVisible(stop: HTMLElement): boolean {
  return stop.closest('[hidden]') === null;
}
