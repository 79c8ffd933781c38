/** Whether a key belongs to an input method, which takes Enter and Escape for itself while it composes. */
export function isForInputMethod(event: KeyboardEvent): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only sign where a composition ends before its key
  return event.isComposing || event.keyCode === 229;
}

/** What a key asks of a field: to send what is in it, to leave it, or nothing but to be typed. */
export function intentOf(event: KeyboardEvent): 'submit' | 'leave' | undefined {
  if (isForInputMethod(event)) return undefined;
  if (event.key === 'Enter' && !event.shiftKey && !event.altKey) return 'submit';
  return event.key === 'Escape' ? 'leave' : undefined;
}
