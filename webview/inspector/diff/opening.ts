import { createDisclosure, type Disclosure } from '../../shared/controls.ts';
import { setAttribute } from '../../shared/dom.ts';
import type { DiffContext } from './diff-context.ts';

export interface OpeningOptions {
  /** Under this key the page remembers that it is open. */
  readonly key: string;
  readonly class: string;
  /** Fills the panel when it is opened. */
  readonly fill: (panel: HTMLElement) => void;
  readonly onToggle?: (isOpen: boolean) => void;
}

/**
 * A button in a list that opens what is under it, and a stop for the keys that move through the list. What it shows is
 * its name.
 */
export function opening(options: OpeningOptions, { open }: Pick<DiffContext, 'open'>): Disclosure {
  const disclosure = createDisclosure({
    isOpen: open.has(options.key),
    class: options.class,
    onToggle: (isOpen) => {
      open.set(options.key, isOpen);
      // What is closed is thrown away: texts can be large.
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
