import type { MessageView } from '../../../src/protocol/inspector-records.ts';
import type { MessagesNotification } from '../../../src/protocol/inspector.ts';

/** The messages of a read-only session, as far as the extension has sent them. */
export interface MessagesData {
  readonly sessionId: string | undefined;
  readonly messages: readonly MessageView[];
  /** Id of a message → its text. */
  readonly texts: ReadonlyMap<string, string>;
}

export const noMessages: MessagesData = { sessionId: undefined, messages: [], texts: new Map() };

/**
 * Adds an answer to the messages. Takes only messages of the displayed session that continue the list or replace its
 * end, which can change in a live session. Removes the texts of messages that changed.
 *
 * @param sessionId the displayed session
 */
export function receiveMessages(
  shown: MessagesData,
  answer: MessagesNotification,
  sessionId: string | undefined,
): MessagesData {
  if (answer.sessionId !== sessionId) return shown;
  const data = shown.sessionId === sessionId ? shown : { ...noMessages, sessionId };
  if (answer.type === 'message-text')
    return { ...data, texts: new Map(data.texts).set(answer.messageId, answer.text) };
  const { from } = answer;
  if (from > data.messages.length) return data;
  const texts = new Map(data.texts);
  const messages = [...data.messages];
  for (const [index, message] of answer.messages.entries()) {
    const known = messages[from + index];
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(message)) continue;
    if (known !== undefined) texts.delete(known.id);
    messages[from + index] = message;
  }
  return { ...data, messages, texts };
}
