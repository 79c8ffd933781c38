import { firstTitle, titleOf } from '../../transcripts/typed-title.ts';
import { isTyped, textOf, type Message } from '../../compaction/messages/message.ts';

/**
 * Name of a session, from the first message that a person typed.
 *
 * @param otherwise the name if no message was typed
 */
export function sessionName(messages: readonly Message[], otherwise: string): string {
  return titleOfTexts(messages.filter(isTyped).map(({ content }) => textOf(content))) ?? otherwise;
}

/** @returns nothing if a program wrote all of them */
export function titleOfTexts(texts: readonly string[]): string | undefined {
  const title = firstTitle(texts);
  return title === undefined ? undefined : titleOf(title);
}
