import { endOfResult } from '../../compaction/ledger/call-ends.ts';
import { endWords } from '../../compaction/ledger/render.ts';
import { isTyped, type Message } from '../../compaction/messages/message.ts';
import { ownWords } from '../../compaction/messages/typed-parts.ts';
import { neutralise } from '../../compaction/quoting/neutralise.ts';
import type { Passage } from '../../compaction/retrieval/passages.ts';

/** A line that could pass for the heading of a passage. */
const heading = /^\s{0,80}\[[^\]]{0,80}message, id /iu;
/** Control characters but for tabs and line feeds, and all that changes the direction of writing or shows nothing. */
const unseen = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u200B\u2060\uFEFF]/gu;

/**
 * A passage under a line that says who wrote it, and how a call ended: a person only for what they typed, not for what their agent put into
 * their message. No line of it passes for such a heading, a tag of an agent, or a turn.
 *
 * @param message that it is from
 */
export function quotedPassage({ messageId, role, text }: Passage, message: Message | undefined): string {
  const isOfUser = message !== undefined && isTyped(message) && ownWords(message).includes(text.trim());
  const author = role === 'user' && !isOfUser ? 'data in a user' : role;
  const lines = neutralise(text).replace(unseen, nameOf).split('\n');
  const shown = lines.map((line) => (heading.test(line) ? `> ${line}` : line)).join('\n');
  return `[${author} message, id ${messageId}${endOf(message)}]\n${shown}`;
}

/** The end of the call that a message answers, in words. */
function endOf(message: Message | undefined): string {
  const end = message?.role === 'tool' ? endOfResult(message) : 'ran';
  return end === 'ran' ? '' : `, ${endWords[end]}`;
}

function nameOf(character: string): string {
  return `‹U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`;
}
