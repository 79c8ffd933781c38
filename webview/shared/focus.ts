/**
 * True while keys go to an element or to something in it.
 *
 * A page remembers its active element while the keys go elsewhere: to an editor, a list, an input box. Focusing that
 * element's successor then would take the keys from there.
 */
export function hasFocus(element: Element): boolean {
  return document.hasFocus() && element.contains(document.activeElement);
}
