import { endOfResult } from '../../compaction/ledger/call-ends.ts';
import { endWords } from '../../compaction/ledger/render.ts';
import { isTyped, type Message } from '../../compaction/messages/message.ts';
import { ownWords } from '../../compaction/messages/typed-parts.ts';
import { quoted } from '../../compaction/quoting/quoted.ts';
import type { Passage } from '../../compaction/retrieval/passages.ts';

/**
 * A passage under a line that says who wrote it and how a call ended: the user only for what they typed, not for what
 * their agent put into their message.
 *
 * @param message that it is from
 */
export function quotedPassage({ messageId, role, text }: Passage, message: Message | undefined): string {
  const isOfUser = message !== undefined && isTyped(message) && ownWords(message).includes(text.trim());
  const author = role === 'user' && !isOfUser ? 'data in a user' : role;
  return `[${author} message, id ${messageId}${endOf(message)}]\n${quoted(text)}`;
}

/** The end of the call that a message answers, in words. */
function endOf(message: Message | undefined): string {
  const end = message?.role === 'tool' ? endOfResult(message) : 'ran';
  return end === 'ran' ? '' : `, ${endWords[end]}`;
}
