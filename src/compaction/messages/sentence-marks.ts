import type { MarkedAs } from './ledger.ts';
import type { Message } from './message.ts';

/** Longest sentence that can be marked, in characters. */
export const longestMarked = 2_000;

/** A sentence that the user marked, as it counts now. */
export interface SentenceMark {
  /** As it was said, white space folded. */
  readonly sentence: string;
  /** Absent if every mark of it was taken back. `struck`: it is no fact. */
  readonly as?: MarkedAs | 'struck' | undefined;
  /** The words of the user that stand in its place, if they reworded it. */
  readonly words?: string | undefined;
}

/** Marks that concern a message. */
export interface MessageMarks {
  /** Marks of its own sentences. */
  readonly own: readonly SentenceMark[];
  /** Summaries only: marks of the whole session, which its facts may have missed. */
  readonly session: readonly SentenceMark[];
}

/**
 * Key of the marks in a message. A symbol: a changed copy of the message has them, too, and neither a comparison, nor a
 * request, nor a file sees them, as they come from entries of the transcript.
 */
const key = Symbol('marks of sentences');

type Keyed = Message & { readonly [key]?: MessageMarks };

const unmarked: MessageMarks = { own: [], session: [] };

export function marksOf(message: Message): MessageMarks {
  return (message as Keyed)[key] ?? unmarked;
}

/** The newest marked copy of a message, and the message of a copy: with the same marks it is the same object. */
const copies = new WeakMap<Message, Message>();
const originals = new WeakMap<Message, Message>();

/** The message with these marks in place of any that it has. */
export function withMarks(message: Message, marks: MessageMarks): Message {
  if (hasMarks(message, marks)) return message;
  const original = originals.get(message) ?? withoutMarks(message);
  if (marks.own.length + marks.session.length === 0) return original;
  const copy = copies.get(original);
  if (copy !== undefined && hasMarks(copy, marks)) return copy;
  const marked: Keyed = { ...original, [key]: marks };
  copies.set(original, marked);
  originals.set(marked, original);
  return marked;
}

/** A rewritten message has the marks of the one that it was made of. */
function withoutMarks(message: Keyed): Message {
  if (message[key] === undefined) return message;
  const { [key]: _marks, ...bare } = message;
  return bare;
}

function hasMarks(message: Message, { own, session }: MessageMarks): boolean {
  const known = marksOf(message);
  return isSameList(known.own, own) && isSameList(known.session, session);
}

function isSameList(one: readonly SentenceMark[], other: readonly SentenceMark[]): boolean {
  return (
    one.length === other.length &&
    one.every((mark, index) => {
      const { sentence, as, words } = other[index]!;
      return mark.sentence === sentence && mark.as === as && mark.words === words;
    })
  );
}
