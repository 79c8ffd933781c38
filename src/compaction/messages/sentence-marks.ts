import type { MarkedAs } from './ledger.ts';
import type { Message } from './message.ts';

export const longestMarked = 2_000;

export interface SentenceMark {
  readonly sentence: string;
  /** Absent if the user took all marks back. `struck`: not a fact. */
  readonly as?: MarkedAs | 'struck' | undefined;
  readonly words?: string | undefined;
}

export interface MessageMarks {
  readonly own: readonly SentenceMark[];
  /** Summaries only: all marks of the session, because the facts of a summary may have missed them. */
  readonly session: readonly SentenceMark[];
}

/** Key of a message's marks. Copies of the message keep it; comparisons, requests and files ignore it. */
const key = Symbol('marks of sentences');

type Keyed = Message & { readonly [key]?: MessageMarks };

const unmarked: MessageMarks = { own: [], session: [] };

export function marksOf(message: Message): MessageMarks {
  return (message as Keyed)[key] ?? unmarked;
}

/** Message → its newest marked copy, and copy → message. The same marks give the same object. */
const copies = new WeakMap<Message, Message>();
const originals = new WeakMap<Message, Message>();

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

/** Returns a message without its marks. A rewritten message has the marks of its original. */
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
