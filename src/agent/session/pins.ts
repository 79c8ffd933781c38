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

/** The result of pinning or unpinning messages. */
export interface PinOutcome {
  /** Ids of messages whose state changed: they are now pinned, or no longer pinned. */
  readonly changed: readonly string[];
  /** Ids of changed or removed messages that are in the context again in their original form. */
  readonly restored: readonly string[];
  /** Ids of pinned messages that stay out of the context, because no provider would accept them. */
  readonly unsent: readonly string[];
}

/**
 * Pins or unpins messages. The original of a pinned message returns to the context.
 * @param now ISO 8601
 * @param restore restores one message
 * @throws {TranscriptError} if a message is unknown; then nothing is written
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

/** Describes further effects of pinning a message; undefined if only the pin changed. */
export function pinSentence({ changed, restored, unsent }: PinOutcome): Sentence | undefined {
  if (unsent.length > 0) return hostSentences.say('pinNeverSent');
  const others = restored.length - 1;
  if (others > 0) return hostSentences.say('pinnedAndBackWith', { others });
  if (others === 0) return hostSentences.say('pinnedAndBack');
  return changed.length > 0 ? undefined : hostSentences.say('pinnedAlready');
}

/** Finds the newest message with text from the user or the model, which users call the last message. */
export function lastSaid(transcript: Transcript): string | undefined {
  return messagesOf(transcript).findLast(
    (message) => isPrompt(message) || (message.role === 'assistant' && !isBlank(message.content)),
  )?.id;
}
