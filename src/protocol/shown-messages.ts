import type { AssistantRow, ChatRow, ToolRow, UserRow } from './chat-rows.ts';

/** Maximum characters of a message's excerpt. */
const excerptLength = 120;

/** A row that shows a message, or a call and its result. */
export type MessageRow = UserRow | AssistantRow | ToolRow;

export function isMessageRow(row: ChatRow): row is MessageRow {
  return row.type === 'user' || row.type === 'assistant' || row.type === 'tool';
}

/** Id of the message that a row shows; for a call, the id of its result. Undefined while there is no message. */
export function shownMessageOf(row: MessageRow): string | undefined {
  switch (row.type) {
    case 'user':
      return row.id;
    case 'assistant':
      return row.isPinned === undefined ? undefined : row.id;
    case 'tool':
      return row.messageId;
  }
}

/** The beginning of a row's text, on one line. */
export function excerptOf(row: MessageRow): string {
  const text =
    row.type === 'user' ? row.text : row.type === 'assistant' ? row.markdown : `${row.tool} ${row.label}`;
  return text
    .slice(0, 2 * excerptLength)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, excerptLength);
}

/** Finds the row of a message. Otherwise finds the row of the call that the message answers or makes first. */
export function rowOfMessage(rows: readonly ChatRow[], messageId: string): ChatRow | undefined {
  return (
    rows.find(({ id }) => id === messageId) ??
    rows.find((row) => row.type === 'tool' && row.messageId === messageId) ??
    rows.find(({ id }) => id.startsWith(`${messageId}:`))
  );
}
