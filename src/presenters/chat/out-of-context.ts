import { messagesOf, type Transcript } from '../../compaction/transcript/transcript.ts';
import { manuallyHidden } from '../../compaction/transcript/view.ts';
import type { ChatState } from '../../protocol/chat.ts';

/** Ids of messages that are not in the context: the messages that the user hid, and separately all others. */
export function outOfContext(
  transcript: Pick<Transcript, 'entries' | 'view'>,
): Required<Pick<ChatState, 'hidden' | 'absent'>> {
  const hidden = manuallyHidden(transcript.entries);
  const inContext = new Set(transcript.view.map(({ id }) => id));
  const absent = messagesOf(transcript)
    .map(({ id }) => id)
    .filter((id) => !inContext.has(id) && !hidden.has(id));
  return { hidden: [...hidden.keys()], absent };
}
