import type { Message } from '../messages/message.ts';

/**
 * Texts that stand in for what left the view. They say how to get it back, and are the same at any time of day.
 */

/** Between the head and the tail of a clipped text. */
export function clipMarker(id: string): (missing: number) => string {
  return (missing) => `\n[… ${missing} characters left out; recall("${id}") returns all of it …]\n`;
}

/** Between the first and the last entries of a list that is shortened. */
export function entriesMarker(id: string): (missing: number) => string {
  return (missing) => `[… ${missing} entries left out; recall("${id}") returns all of it …]`;
}

/** In place of images. The archive has them; `recall` returns texts only. */
export function imagesMarker(count: number): string {
  return count === 1 ? '[image left out]' : `[${count} images left out]`;
}

/**
 * Follows the part of a text that stays, or replaces all of it.
 *
 * @param note one more sentence, for example what makes up for it
 */
export function referenceTo(id: string, tool: string, tokens: number, note = ''): string {
  return `[${note === '' ? '' : `${note} `}Result of ${tool}: ${tokens} tokens. recall("${id}") returns all of it.]`;
}

/** True if an earlier compaction shortened a message. Its text does not tell: a tool may print the same. */
export function isShortened({ truncation }: Message): boolean {
  return truncation !== undefined && truncation.fate !== 'tool';
}

/**
 * Replaces a part of a tool result that never entered the view: says what was left out and how to get it. Unlike the
 * others it does not keep the whole from being hidden later.
 *
 * @param what in the plural, for example `lines 120–3400 of 3512`
 * @param how text after the reference, for example which arguments it takes
 */
export function omission(id: string, what: string, how = ''): string {
  return `[… ${what} left out: recall("${id}") returns them${how} …]`;
}

/**
 * True if a message has lost a part before, by a compaction, by the tool that wrote it, or on arrival: no middle to cut
 * out again.
 */
export function isCut({ truncation, original }: Message): boolean {
  return truncation !== undefined || original !== undefined;
}
