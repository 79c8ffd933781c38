import { titleOf } from '../../agent/session-title.ts';
import { isTyped, textOf, type Message } from '../../compaction/message.ts';

/** What Cline and Roo Code put around what a person types first. */
const task = /^\s*<task>\s*(?<typed>\S[^]*?)\s*(?:<\/task>|$)/u;

/**
 * What a session is called: by what a person typed first.
 *
 * @param otherwise where nobody typed anything
 */
export function sessionName(messages: readonly Message[], otherwise: string): string {
  const texts = messages.filter(isTyped).map(({ content }) => textOf(content));
  const first = texts.find((text) => text.trim() !== '');
  return first === undefined ? otherwise : titleOf(task.exec(first)?.groups?.['typed'] ?? first);
}
