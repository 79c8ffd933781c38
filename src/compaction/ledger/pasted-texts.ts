import { type Message, textOf } from '../messages/message.ts';

/** Minimum characters of a sentence whose repetition cannot be a coincidence. */
export const shortPasted = 40;

/** Messages are compared with the texts at every 16th character, there in some of the next 25 characters. */
const stride = 16;
const lastCompared = 24;

/** A text that is sought, and its characters before the compared place. */
interface Place {
  readonly text: string;
  readonly before: number;
}

/**
 * Finds the texts that the assistant or a tool wrote, word for word, with the index of the first such message. Reads
 * each message once, because a long session has many texts to look for.
 *
 * @param texts texts with at least `shortPasted` characters
 */
export function firstWritten(
  texts: readonly string[],
  messages: readonly Message[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  if (texts.length === 0) return found;
  const places = new Map<number, Place[]>();
  /** Marks the upper half of each key, because most places of a message have none of the keys. */
  const marks = new Uint8Array(0x1_0000);
  for (const text of texts) {
    for (let before = 0; before < stride; before++) {
      const key = keyAt(text, before);
      marks[key >>> 16] = 1;
      places.set(key, [...(places.get(key) ?? []), { text, before }]);
    }
  }
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'assistant' && role !== 'tool') continue;
    const written = textOf(content);
    for (let at = 0; at + lastCompared < written.length; at += stride) {
      const key = keyAt(written, at);
      if (marks[key >>> 16] === 0) continue;
      for (const { text, before } of places.get(key) ?? [])
        if (!found.has(text) && written.startsWith(text, at - before)) found.set(text, index);
    }
  }
  return found;
}

function keyAt(text: string, at: number): number {
  let key = Math.imul(text.charCodeAt(at), 0x9e37_79b1);
  key = Math.imul(key ^ text.charCodeAt(at + 7), 0x9e37_79b1);
  key = Math.imul(key ^ text.charCodeAt(at + 15), 0x9e37_79b1);
  return Math.imul(key ^ text.charCodeAt(at + lastCompared), 0x9e37_79b1);
}
