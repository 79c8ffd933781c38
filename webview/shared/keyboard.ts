/** True if a key belongs to an input method, which uses Enter and Escape to compose text. */
export function isForInputMethod(event: KeyboardEvent): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only sign if a composition ends before its key
  return event.isComposing || event.keyCode === 229;
}

/** The meaning of a key in a field: submit or leave; undefined for any other key. */
export function intentOf(event: KeyboardEvent): 'submit' | 'leave' | undefined {
  if (isForInputMethod(event)) return undefined;
  if (event.key === 'Enter' && !event.shiftKey && !event.altKey) return 'submit';
  return event.key === 'Escape' ? 'leave' : undefined;
}

/**
 * True while an element or a descendant has keyboard focus.
 *
 * A page remembers its active element while an editor, a list or an input box outside the page has the focus.
 * Focusing the successor of that element would then steal the focus.
 */
export function hasFocus(element: Element): boolean {
  return document.hasFocus() && element.contains(document.activeElement);
}
