import { engineSentences } from '../../language/english/engine-english.ts';
import { repairPairs } from '../../compaction/messages/exchange.ts';
import { isBlank, isPrompt } from '../../compaction/messages/message.ts';
import type { CompactionHost } from '../../compaction/service/service-ports.ts';
import {
  messagesOf,
  shownAsSaid,
  TranscriptError,
  type Transcript,
} from '../../compaction/transcript/transcript.ts';
import { hostSentences } from '../../language/english/host-english.ts';
import type { Sentence } from '../../language/sentence.ts';

/** Result of pinning or unpinning messages. */
export interface PinOutcome {
  /** The pins that were set or taken away; not those that were so before. */
  readonly changed: readonly string[];
  /** Messages that a compaction had changed or taken out and that are in the view again as they were said. */
  readonly restored: readonly string[];
  /** Pinned messages that are in no view, because no provider would take them. */
  readonly unsent: readonly string[];
}

/**
 * Pins messages, so that every compaction keeps them as they are, or takes their pins away. A pin keeps what was said
 * and not what a compaction put in its place: a pinned message that is hidden, clipped or gone comes back. A compaction
 * that is being planned meanwhile finds out by itself.
 *
 * @param now ISO 8601
 * @param restore brings one message back and says which came with it
 * @throws {TranscriptError} if the transcript has no such message; nothing is written down then
 */
export async function setPinned(
  host: CompactionHost,
  messageIds: readonly string[],
  pinned: boolean,
  now: string,
  restore: (messageId: string) => Promise<readonly string[]>,
): Promise<PinOutcome> {
  const messages = messagesOf(host.transcript);
  const known = new Set(messages.map(({ id }) => id));
  const missing = messageIds.find((id) => !known.has(id));
  if (missing !== undefined) throw new TranscriptError(engineSentences.say('hasNoMessage', { id: missing }));
  const asked = [...new Set(messageIds)];
  const changed = asked.filter((id) => host.transcript.pins.has(id) !== pinned);
  if (changed.length > 0) {
    await host.append({ type: 'pin', createdAt: now, messageIds: changed, pinned });
  }
  if (!pinned) return { changed, restored: [], unsent: [] };
  const sendable = new Set(repairPairs(messages).map(({ id }) => id));
  const restored: string[] = [];
  for (const id of asked.filter((one) => sendable.has(one))) {
    if (!shownAsSaid(host.transcript).has(id)) restored.push(...(await restore(id)));
  }
  return { changed, restored, unsent: asked.filter((id) => !sendable.has(id)) };
}

/** Tells what pinning a message did beyond the pin; undefined if nothing. */
export function pinSentence({ changed, restored, unsent }: PinOutcome): Sentence | undefined {
  if (unsent.length > 0) return hostSentences.say('pinNeverSent');
  const others = restored.length - 1;
  if (others > 0) return hostSentences.say('pinnedAndBackWith', { others });
  if (others === 0) return hostSentences.say('pinnedAndBack');
  return changed.length > 0 ? undefined : hostSentences.say('pinnedAlready');
}

/** The newest message that a person typed or the model said something in: what "last" means to who reads the chat. */
export function lastSaid(transcript: Transcript): string | undefined {
  return messagesOf(transcript).findLast(
    (message) => isPrompt(message) || (message.role === 'assistant' && !isBlank(message.content)),
  )?.id;
}
