import { element } from '../../shared/dom.ts';

/** A number, large, and what it counts below it. */
export function fact(value: string, ...label: readonly (string | HTMLElement)[]): HTMLElement {
  return element(
    'div',
    { class: 'fact' },
    element('b', {}, value),
    element('div', { class: 'dim' }, ...label),
  );
}
