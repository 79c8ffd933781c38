import type { Cut } from './clip.ts';
import type { Message } from '../messages/message.ts';

/** A cut of the text of a message or of a call, with which is kept what was learnt of the text. */
export interface CutOf extends Cut {
  /** Never changes, and has this text alone. */
  readonly owner: object;
}

const cuts = new WeakMap<Message, CutOf>();

/** Notes that the text of a message is a cut: what is known of the whole text is known of it, too. */
export function learnCut(message: Message, cut: CutOf): void {
  cuts.set(message, cut);
}

/** The cut that the text of a message is; undefined if that is not known. */
export function cutOf(message: Message): CutOf | undefined {
  return cuts.get(message);
}

/**
 * Something that is found in a text, kept for its beginning and its end, as far as it was looked for: cuts of one text
 * have much in common.
 *
 * @param find adds what there is in a stretch of a text
 */
export function rememberedEnds<Found>(
  make: (whole: string) => Found,
  find: (found: Found, whole: string, start: number, end: number) => void,
): (cut: CutOf) => Found {
  const known = new WeakMap<object, { whole: string; found: Found; head: number; tail: number }>();
  return ({ owner, whole, head, tail }) => {
    let ends = known.get(owner);
    if (ends?.whole !== whole) {
      ends = { whole, found: make(whole), head: 0, tail: whole.length };
      known.set(owner, ends);
    }
    if (head > ends.head) {
      find(ends.found, whole, ends.head, head);
      ends.head = head;
    }
    if (tail < ends.tail) {
      find(ends.found, whole, tail, ends.tail);
      ends.tail = tail;
    }
    return ends.found;
  };
}
