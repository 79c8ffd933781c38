import type { Message } from '../messages/message.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { createPassageIndex, type PassageIndex } from './history-search.ts';
import { type Passage, passagesOf } from './passages.ts';

/** The passages of messages, in their order, and an index of them. */
interface IndexedPassages {
  readonly passages: readonly Passage[];
  readonly index: PassageIndex;
}

interface Kept extends IndexedPassages {
  readonly messages: readonly Message[];
  /** The way in which the passages were cut. */
  readonly cut: string;
}

/** By the first message, so that a session that is gone keeps nothing. */
const kept = new WeakMap<Message, Kept>();
/** First message of the one that is kept: an index takes many times the room of its text. */
let latest: WeakRef<Message> | undefined;

/**
 * Splits messages into passages and indexes them. The latest index is kept, and only what follows its messages is added
 * to it: a session that is compacted for each request has to be read once.
 *
 * @param tokens most tokens of a passage
 * @param checkpoint called between slices of the work; what it throws ends it
 */
export async function indexedPassages(
  messages: readonly Message[],
  tokens: number,
  meter: UsageMeter,
  checkpoint: () => void,
): Promise<IndexedPassages> {
  const [first] = messages;
  const cut = JSON.stringify([tokens, meter.counting]);
  const known = first === undefined ? undefined : kept.get(first);
  const isBeginning =
    known?.cut === cut && known.messages.every((message, index) => message === messages[index]);
  // While it grows, nobody else may use it; if that is cancelled, it is not kept.
  if (first !== undefined) kept.delete(first);
  const read = isBeginning ? known.messages.length : 0;
  const passages = isBeginning ? [...known.passages] : [];
  const index = isBeginning ? known.index : await createPassageIndex();
  const count = (texts: readonly string[]) => meter.countTexts(texts);
  for await (const slice of passagesOf(messages.slice(read), tokens, count)) {
    checkpoint();
    index.add(slice);
    passages.push(...slice);
  }
  // Without a name for the way of counting, another meter may cut in other places.
  if (first !== undefined && meter.counting !== undefined) {
    const before = latest?.deref();
    if (before !== undefined) kept.delete(before);
    latest = new WeakRef(first);
    kept.set(first, { messages: [...messages], cut, passages, index });
  }
  return { passages, index };
}
