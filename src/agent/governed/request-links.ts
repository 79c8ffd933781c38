import { type Message, textOf } from '../../compaction/messages/message.ts';
import { parseShallow } from '../../compaction/text/parse-json.ts';
import { isRecord } from '../../language/is-record.ts';
import type { SentMessage } from './history-change.ts';

/** Minimum characters of a reply that shows, as a part of a later message, where that message came from. */
const tellingReply = 40;

/**
 * True if a client's messages contain the end of a conversation's last reply, because the client compacted it.
 *
 * @param isOfOther true if the reply is of a request outside the history, and may be a reply in it, too
 */
export function hasReplyOf(
  view: readonly SentMessage[],
  sent: readonly SentMessage[],
  isOfOther: boolean,
): boolean {
  const last = view.at(-1);
  const reply = last?.role === 'assistant' ? textOf(last.content).trim() : '';
  if (reply.length < tellingReply) return false;
  // Clients cut elements such as an analysis out of a summary, and the closing tag at its end.
  const end = reply.slice(-Math.max(tellingReply, Math.floor(reply.length / 4)));
  const telling = end.replace(/<\/[\w-]{1,40}>$/u, '').trimEnd();
  return sent.some(
    ({ role, content }) => (isOfOther || role !== 'assistant') && textOf(content).includes(telling),
  );
}

/** Minimum characters of an argument that can be the task of a sub-agent. It has words, so it is no path. */
const shortestTask = 20;

/**
 * Finds the call that started a sub-agent: one of its arguments is in the sub-agent's first messages.
 *
 * @returns undefined if no conversation made such a call
 */
export function startingCallOf<Known extends { readonly view: readonly Message[] }>(
  sent: readonly SentMessage[],
  conversations: readonly Known[],
): { readonly parent: Known; readonly callId: string } | undefined {
  const asked = sent.filter(({ role }) => role === 'user').map(({ content }) => textOf(content));
  for (const parent of conversations) {
    for (const { tool_calls: calls = [] } of parent.view.toReversed()) {
      const call = calls.find(({ function: called }) =>
        tasksIn(called.arguments).some((text) => asked.some((one) => one.includes(text))),
      );
      if (call !== undefined) return { parent, callId: call.id };
    }
  }
  return undefined;
}

function tasksIn(json: string): readonly string[] {
  const parsed = parseShallow(json)?.value;
  const values = isRecord(parsed) ? Object.values(parsed) : [];
  return values.filter(
    (value): value is string =>
      typeof value === 'string' && value.length >= shortestTask && /\S\s+\S/u.test(value),
  );
}
