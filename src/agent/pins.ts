import { isBlank, isTyped } from '../compaction/message.ts';
import type { CompactionHost } from '../compaction/service-ports.ts';
import { messagesOf, TranscriptError, type Transcript } from '../compaction/transcript.ts';

/**
 * Pins messages, so that every compaction keeps them as they are, or takes their pins away. A compaction that is being
 * planned meanwhile finds out by itself.
 *
 * @param now ISO 8601
 * @returns ids of the messages that were not so before; where there are none, nothing is written down
 * @throws {TranscriptError} if the transcript has no such message
 */
export async function setPinned(
  host: CompactionHost,
  messageIds: readonly string[],
  pinned: boolean,
  now: string,
): Promise<readonly string[]> {
  const { transcript } = host;
  const known = new Set(messagesOf(transcript).map(({ id }) => id));
  const missing = messageIds.find((id) => !known.has(id));
  if (missing !== undefined) throw new TranscriptError(`The transcript has no message ${missing}.`);
  const changed = [...new Set(messageIds)].filter((id) => transcript.pins.has(id) !== pinned);
  if (changed.length > 0) {
    await host.append({ type: 'pin', createdAt: now, messageIds: changed, pinned });
  }
  return changed;
}

/** The newest message that a person typed or the model said something in: what "last" means to who reads the chat. */
export function lastSaid(transcript: Transcript): string | undefined {
  return messagesOf(transcript).findLast(
    (message) => isTyped(message) || (message.role === 'assistant' && !isBlank(message.content)),
  )?.id;
}
