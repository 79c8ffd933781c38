import { textOf, type Message } from '../messages/message.ts';
import { remembered } from '../messages/remembered.ts';

/**
 * Texts that stand in for what left the view. They say how to get it back, are the same at any time of day, and are
 * recognised when a view that was written to a file is read again.
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

const standIn =
  /(?:… \d+ (?:characters|entries) left out; |Result of [^\n]{0,200}: \d+ tokens\. )recall\("[^"\n]{1,200}"\) returns (?:it|all of it)/u;

/** True if an earlier compaction shortened a message's text. */
export function isShortened(message: Message): boolean {
  const fate = message.truncation?.fate;
  return (fate !== undefined && fate !== 'tool') || hasStandIn(message);
}

/** Read once for each message: a text of many lines takes long. */
const hasStandIn = remembered(({ content }: Message): boolean => {
  const text = textOf(content);
  return text.includes('recall("') && standIn.test(text);
});

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

const omitted = /\[… [^\n]{1,100} left out: recall\(\\?"[^"\n]{1,200}"\) returns them/u;

/**
 * True if a string has lost a part before, by a compaction, by the tool that wrote it, or on arrival: no middle to
 * cut out again.
 */
export const isCut = remembered(
  (message: Message): boolean =>
    message.truncation?.fate === 'tool' ||
    message.original !== undefined ||
    isShortened(message) ||
    hasOmission(message),
);

function hasOmission({ content }: Message): boolean {
  const text = textOf(content);
  return text.includes(' left out: recall(') && omitted.test(text);
}
