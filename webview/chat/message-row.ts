import type { ChatRow } from '../../src/protocol/chat-rows.ts';

/** The row of a message: what was said in it, the call it is the result of, or its own first call. */
export function rowOfMessage(rows: readonly ChatRow[], messageId: string): ChatRow | undefined {
  return (
    rows.find(({ id }) => id === messageId) ??
    rows.find((row) => row.type === 'tool' && row.messageId === messageId) ??
    rows.find(({ id }) => id.startsWith(`${messageId}:`))
  );
}
