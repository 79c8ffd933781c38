import { firstTitle, titleOf } from '../../transcripts/typed-title.ts';
import { isTyped, textOf, type Message } from '../../compaction/messages/message.ts';

/**
 * What a session is called: by what a person typed first.
 *
 * @param otherwise where nobody typed anything
 */
export function sessionName(messages: readonly Message[], otherwise: string): string {
  return titleOfTexts(messages.filter(isTyped).map(({ content }) => textOf(content))) ?? otherwise;
}

/** @returns nothing where a program wrote all of them */
export function titleOfTexts(texts: readonly string[]): string | undefined {
  const title = firstTitle(texts);
  return title === undefined ? undefined : titleOf(title);
}
