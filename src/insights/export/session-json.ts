import { toChatMessage, type ToolSchema } from '../../compaction/message.ts';
import { messagesOf, recordsOf } from '../../compaction/transcript.ts';
import { exportNotice } from './notice.ts';
import type { ExportedSession } from './session-outline.ts';

/**
 * A session as JSON that can be imported again: OpenAI chat messages as they were said, which of those in the user role a
 * program wrote, the tools, and the records of compactions.
 */
export function sessionJson(session: ExportedSession & { readonly tools: readonly ToolSchema[] }): string {
  const { title, tools } = session;
  const messages = messagesOf(session);
  const injected = messages.flatMap(({ role, origin }, index) =>
    role === 'user' && origin !== 'person' ? [index] : [],
  );
  const document = {
    notice: exportNotice,
    title,
    messages: messages.map(toChatMessage),
    ...(tools.length === 0 ? {} : { tools }),
    meta: { injected_message_indices: injected },
    records: recordsOf(session),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
