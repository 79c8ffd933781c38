import type { Message } from '../messages/message.ts';

/** Placeholders for text that left the view. They explain how to get it back and contain no time or date. */

export function clipMarker(id: string): (missing: number) => string {
  return (missing) => `\n[… ${missing} characters left out; recall("${id}") returns all of it …]\n`;
}

export function entriesMarker(id: string): (missing: number) => string {
  return (missing) => `[… ${missing} entries left out; recall("${id}") returns all of it …]`;
}

/** Returns the placeholder for images. They stay in the archive, but `recall` returns text only. */
export function imagesMarker(count: number): string {
  return count === 1 ? '[image left out]' : `[${count} images left out]`;
}

/** Returns a reference that replaces a whole text or follows its remaining part. A note may come first. */
export function referenceTo(id: string, tool: string, tokens: number, note = ''): string {
  return `[${note === '' ? '' : `${note} `}Result of ${tool}: ${tokens} tokens. recall("${id}") returns all of it.]`;
}

/** True if an earlier compaction shortened a message. Reads the mark, because a tool may print the same text. */
export function isShortened({ truncation }: Message): boolean {
  return truncation !== undefined && truncation.fate !== 'tool';
}

/** Returns a note about a part of a tool result that never was in the view (`lines 120–3400 of 3512`). */
export function omission(id: string, what: string, how = ''): string {
  return `[… ${what} left out: recall("${id}") returns them${how} …]`;
}

/** True if a message was shortened by a compaction, by its tool or on arrival. Its middle must not be cut again. */
export function isCut({ truncation, original }: Message): boolean {
  return truncation !== undefined || original !== undefined;
}
