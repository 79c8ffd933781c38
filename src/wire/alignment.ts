import type { Message } from '../compaction/messages/message.ts';
import { messageKey } from './message-key.ts';
import type { WireMessage } from './wire.ts';

/** How the messages of a request follow from the messages before it. All are numbers of messages. */
export interface Alignment {
  /** Equal messages at the beginning. */
  readonly kept: number;
  /** Messages of the earlier view after these that are gone or were changed. */
  readonly gone: number;
  /** Messages of the request in their place. */
  readonly inserted: number;
}

/**
 * Aligns a request with the view before it: an equal beginning, a changed middle, and an end that is equal again. What
 * follows in the request is new.
 */
export function align(before: readonly Message[], sent: readonly WireMessage[]): Alignment {
  const isSame = (one: number, other: number) => {
    const [message, next] = [before[one], sent[other]];
    return message !== undefined && next !== undefined && messageKey(message) === messageKey(next.chat);
  };
  let kept = 0;
  while (isSame(kept, kept)) kept++;
  if (kept === before.length) return { kept, gone: 0, inserted: 0 };
  const last = before.length - 1;
  let best = { length: 0, end: kept };
  const most = before.length - kept;
  for (let end = sent.length - 1; end >= kept && best.length < Math.min(most, end - kept + 1); end--) {
    let length = 0;
    while (length < most && end - length >= kept && isSame(last - length, end - length)) length++;
    if (length > best.length) best = { length, end: end + 1 };
  }
  if (best.length > 0) {
    return { kept, gone: before.length - best.length - kept, inserted: best.end - best.length - kept };
  }
  const gone = before.slice(kept);
  const fresh = sent.slice(kept);
  const isRewritten =
    fresh.length >= gone.length &&
    gone.some(({ role }) => role !== 'assistant') &&
    gone.every(({ role }, at) => fresh[at]?.chat.role === role);
  if (isRewritten) return { kept, gone: gone.length, inserted: gone.length };
  return { kept, gone: gone.length, inserted: summaryLength(gone, fresh) };
}

/** Share of the length of removed messages that a summary may have. */
const summaryShare = 0.5;

/** Number of messages that stand for removed ones: those before a new prompt, if they are much shorter. */
function summaryLength(gone: readonly Message[], fresh: readonly WireMessage[]): number {
  const isPromptLast = fresh.length > 1 && fresh.at(-1)?.chat.role === 'user';
  const standing = isPromptLast ? fresh.slice(0, -1) : fresh;
  const [before, after] = [gone.map(messageKey), standing.map(({ chat }) => messageKey(chat))].map((keys) =>
    keys.reduce((total, key) => total + key.length, 0),
  );
  return (after ?? 0) < summaryShare * (before ?? 0) ? standing.length : 0;
}
