import { textOf, type Message } from './message.ts';

/**
 * Texts that stand in for what left the view. They say how to get it back, are the same at any time of day, and are
 * recognised when a view that was written to a file is read again.
 */

/** Between the head and the tail of a clipped text. */
export function clipMarker(id: string): (missing: number) => string {
  return (missing) => `\n[… ${missing} characters left out; recall("${id}") returns all of it …]\n`;
}

/**
 * Behind the part of a text that stays, or in place of all of it.
 *
 * @param note one more sentence, for example what makes up for it
 */
export function referenceTo(id: string, tool: string, tokens: number, note = ''): string {
  return `[${note === '' ? '' : `${note} `}Result of ${tool}: ${tokens} tokens. recall("${id}") returns all of it.]`;
}

const standIn =
  /(?:… \d+ characters left out; |Result of [^\n]{0,200}: \d+ tokens\. )recall\("[^"\n]{1,200}"\) returns (?:it|all of it)/u;

/** Whether a compaction shortened a message's text before. */
export function isShortened(message: Message): boolean {
  const fate = message.truncation?.fate;
  return (fate !== undefined && fate !== 'tool') || standIn.test(textOf(message.content));
}

/** Whether a text has lost a part before, by a compaction or by the tool that wrote it: no middle to cut out again. */
export function isCut(message: Message): boolean {
  return message.truncation?.fate === 'tool' || isShortened(message);
}
