import type { Cut } from './clip.ts';
import type { Message } from '../messages/message.ts';

/** A cut of the text of a message or a call, with the object for which results about the text are cached. */
export interface CutOf extends Cut {
  /** Immutable object that has only this text. */
  readonly owner: object;
}

const cuts = new WeakMap<Message, CutOf>();

/** Records that the text of a message is a cut. Facts about the whole text also apply to the cut. */
export function learnCut(message: Message, cut: CutOf): void {
  cuts.set(message, cut);
}

export function cutOf(message: Message): CutOf | undefined {
  return cuts.get(message);
}

/** Caches what `find` found in both ends of a text, because cuts of one text overlap. */
export function memoisedEnds<Found>(
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
