import { element, freshId, setAttribute } from './dom.ts';

/** A line that opens what is under it. */
export interface Disclosure {
  readonly button: HTMLButtonElement;
  /** Empty until it is opened for the first time. */
  readonly panel: HTMLElement;
  readonly isOpen: boolean;
  setOpen(isOpen: boolean): void;
}

export interface DisclosureOptions {
  readonly isOpen: boolean;
  readonly class?: string;
  /** Called before the panel shows, to fill it, and after the person closed it. */
  onToggle(isOpen: boolean): void;
}

/** The button is empty: the caller adds a chevron and the words. */
export function createDisclosure(options: DisclosureOptions): Disclosure {
  const id = freshId();
  let isOpen = false;
  const button = element('button', {
    type: 'button',
    class: `disclosure ${options.class ?? ''}`.trim(),
    'aria-expanded': 'false',
    'aria-controls': id,
  });
  const panel = element('div', { id, hidden: true });
  const setOpen = (open: boolean) => {
    if (open === isOpen) return;
    isOpen = open;
    options.onToggle(open);
    setAttribute(button, 'aria-expanded', String(open));
    panel.hidden = !open;
  };
  button.addEventListener('click', () => setOpen(!isOpen));
  const disclosure = {
    button,
    panel,
    get isOpen() {
      return isOpen;
    },
    setOpen,
  };
  // The caller needs what this returns before it can fill the panel.
  if (options.isOpen) queueMicrotask(() => setOpen(true));
  return disclosure;
}
