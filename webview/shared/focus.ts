/**
 * True while an element or a descendant has keyboard focus.
 *
 * A page remembers its active element while an editor, a list or an input box outside the page has the focus.
 * Focusing the successor of that element would then steal the focus.
 */
export function hasFocus(element: Element): boolean {
  return document.hasFocus() && element.contains(document.activeElement);
}
