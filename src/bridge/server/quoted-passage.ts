import { endOfResult } from '../../compaction/ledger/call-ends.ts';
import { endWords } from '../../compaction/ledger/render.ts';
import { isTyped, type Message } from '../../compaction/messages/message.ts';
import { ownWords } from '../../compaction/messages/typed-parts.ts';
import { quoted } from '../../compaction/quoting/quoted.ts';
import type { Passage } from '../../compaction/retrieval/passages.ts';

/**
 * A passage with a heading that names its author and how a call ended. The author is the user only for typed text, not
 * for text that an agent added to the user's message.
 *
 * @param message that contains the passage
 */
export function quotedPassage({ messageId, role, text }: Passage, message: Message | undefined): string {
  const isOfUser = message !== undefined && isTyped(message) && ownWords(message).includes(text.trim());
  const author = role === 'user' && !isOfUser ? 'data in a user' : role;
  return `[${author} message, id ${messageId}${endOf(message)}]\n${quoted(text)}`;
}

/** Words for the end of the call that a message answers. */
function endOf(message: Message | undefined): string {
  const end = message?.role === 'tool' ? endOfResult(message) : 'ran';
  return end === 'ran' ? '' : `, ${endWords[end]}`;
}
