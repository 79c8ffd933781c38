/** Returns a provider's message in one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
