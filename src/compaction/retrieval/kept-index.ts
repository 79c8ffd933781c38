import type { Message } from '../messages/message.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { createPassageIndex, type PassageIndex } from './history-search.ts';
import { type Passage, passagesOf } from './passages.ts';

interface IndexedPassages {
  readonly passages: readonly Passage[];
  readonly index: PassageIndex;
}

interface Kept extends IndexedPassages {
  readonly messages: readonly Message[];
  readonly cut: string;
}

/** Keyed by the first message, so that closed sessions can be garbage-collected. */
const kept = new WeakMap<Message, Kept>();
/** First message of the kept session. Only one index is kept, because it is many times larger than its text. */
let latest: WeakRef<Message> | undefined;

/** Indexes the passages of messages. The latest index is kept and extended, so that a session is read once. */
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
  // The index is removed while it grows, so that no one else uses it, and not kept if the work is cancelled.
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
  // Without a name of the counting method, the index is not kept: another meter might cut elsewhere.
  if (first !== undefined && meter.counting !== undefined) {
    const before = latest?.deref();
    if (before !== undefined) kept.delete(before);
    latest = new WeakRef(first);
    kept.set(first, { messages: [...messages], cut, passages, index });
  }
  return { passages, index };
}
