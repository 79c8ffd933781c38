import { messagesOf, type Transcript } from '../../compaction/transcript/transcript.ts';
import { hiddenByHand } from '../../compaction/transcript/view.ts';
import type { ChatState } from '../../protocol/chat.ts';

/** Ids of a chat's messages that are not in the context: messages that the user hid, and other messages. */
export function outOfContext(
  transcript: Pick<Transcript, 'entries' | 'view'>,
): Required<Pick<ChatState, 'hidden' | 'absent'>> {
  const hidden = hiddenByHand(transcript.entries);
  const inContext = new Set(transcript.view.map(({ id }) => id));
  const absent = messagesOf(transcript)
    .map(({ id }) => id)
    .filter((id) => !inContext.has(id) && !hidden.has(id));
  return { hidden: [...hidden.keys()], absent };
}
