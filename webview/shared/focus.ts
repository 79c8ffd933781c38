/**
 * True while an element or a descendant has keyboard focus.
 *
 * A page remembers its active element while an editor, a list or an input box outside has the focus. Focusing that
 * element's successor would then steal the focus.
 */
export function hasFocus(element: Element): boolean {
  return document.hasFocus() && element.contains(document.activeElement);
}
