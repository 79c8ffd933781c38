import { endOfResult } from '../../compaction/ledger/call-ends.ts';
import { endWords } from '../../compaction/ledger/call-words.ts';
import type { Message } from '../../compaction/messages/message.ts';
import { inLine, quoted } from '../../compaction/quoting/quoted.ts';
import type { FoundPassage } from '../../compaction/retrieval/history-search.ts';

/**
 * Returns a passage with a heading that names its author and the outcome of its call.
 * @param message the message that contains the passage
 */
export function quotedPassage(
  { messageId, author, text }: FoundPassage,
  message: Message | undefined,
): string {
  return `[${author} message, id ${inLine(messageId)}${endOf(message)}]\n${quoted(text)}`;
}

/** Returns a phrase on the outcome of the call that a message answers. */
function endOf(message: Message | undefined): string {
  const end = message?.role === 'tool' ? endOfResult(message) : 'ran';
  return end === 'ran' ? '' : `, ${endWords[end]}`;
}
