import { comparedTo } from '../../agent/governed/history-change.ts';
import { isSystem, type Message } from '../../compaction/messages/message.ts';
import { rewrittenId } from '../../compaction/records/record.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import type { ForeignCompaction, Imported } from '../../transcripts/reading/transcript-format.ts';

/**
 * Adds to a session's file what a recording of the same session shows and the file lacks: the tools, the system prompt,
 * the provider's reports, and how the requests went. Messages come from the file, which has the whole session, unless
 * the proxy compacted them: then the model received the recorded context.
 */
export function withRecording<Read extends Omit<Imported, 'others'>>(
  session: Read,
  recording: Omit<Imported, 'others'>,
): Read {
  const messages = messagesOf(session);
  const recorded = messagesOf(recording);
  const replies = repliesOf(session.entries, recorded);
  if (recording.entries.some(isOfProxy) && isRecordedTo(messages, replies)) {
    const { entries, tools, servers, toolHistory, exchanges } = recording;
    return {
      ...session,
      ...{ entries, tools, servers, toolHistory, exchanges },
      compactions: [],
      context: undefined,
    };
  }
  const system = messages.some(isSystem) ? [] : leadingSystem(recorded);
  const added = system.map((message): TranscriptEntry => ({
    type: 'message',
    message: { ...message, id: `wire-${message.id}` },
  }));
  const hasTools = session.tools.length > 0;
  const { tools, servers, exchanges = [] } = recording;
  const { compactions, context } = session;
  const idOf = new Map(Array.from(replies, ([id, reply]) => [reply.id, id]));
  return {
    ...session,
    ...(!hasTools && { tools, servers, toolHistory: undefined }),
    exchanges: exchanges.map(({ messageId, ...exchange }) => {
      const id = messageId === undefined ? undefined : idOf.get(messageId);
      return id === undefined ? exchange : { ...exchange, messageId: id };
    }),
    entries: [...added, ...withUsages(session.entries, replies)],
    compactions: compactions.map((compaction) => moved(compaction, added.length)),
    ...(context !== undefined && {
      context: { ...context, beforeMessageIndex: context.beforeMessageIndex + added.length },
    }),
  };
}

/** True for a compaction that the proxy made, and the client does not know. */
function isOfProxy(entry: TranscriptEntry): boolean {
  return (
    entry.type === 'compaction' &&
    entry.record.status === 'applied' &&
    entry.record.requestedStrategy !== rewrittenId
  );
}

/** True if the session did not continue without the proxy. The recording may lack its newest reply for a moment. */
function isRecordedTo(messages: readonly Message[], replies: ReadonlyMap<string, Message>): boolean {
  const own = messages.filter(({ role }) => role === 'assistant');
  return own.slice(-2).some(({ id }) => replies.has(id));
}

/** The system prompt of the last recorded request, which may begin with several messages. */
function leadingSystem(recorded: readonly Message[]): readonly Message[] {
  const end = recorded.findIndex((message) => !isSystem(message));
  return recorded.slice(0, end < 0 ? recorded.length : end);
}

/** Finds the recorded replies by the ids of the session's own, in order, because equal replies may occur twice. */
function repliesOf(
  entries: readonly TranscriptEntry[],
  recorded: readonly Message[],
): ReadonlyMap<string, Message> {
  const byKey = new Map<string, Message[]>();
  for (const message of recorded) {
    const { key } = comparedTo(message);
    const alike = byKey.get(key);
    if (alike === undefined) byKey.set(key, [message]);
    else alike.push(message);
  }
  const own = messagesOf({ entries }).filter(({ role }) => role === 'assistant');
  return new Map(
    own.flatMap((message) => {
      const found = byKey.get(comparedTo(message).key)?.shift();
      return found === undefined ? [] : [[message.id, found] as const];
    }),
  );
}

/** Adds reports to replies without one. */
function withUsages(
  entries: readonly TranscriptEntry[],
  replies: ReadonlyMap<string, Message>,
): readonly TranscriptEntry[] {
  return entries.map((entry): TranscriptEntry => {
    if (entry.type !== 'message' || entry.message.usage !== undefined) return entry;
    const usage = replies.get(entry.message.id)?.usage;
    return usage === undefined ? entry : { ...entry, message: { ...entry.message, usage } };
  });
}

function moved(compaction: ForeignCompaction, by: number): ForeignCompaction {
  if (by === 0) return compaction;
  const { beforeMessageIndex, keptFromIndex, alsoKept, instructionsLeft } = compaction;
  const later = (index: number) => index + by;
  return {
    ...compaction,
    beforeMessageIndex: later(beforeMessageIndex),
    ...(keptFromIndex !== undefined && { keptFromIndex: later(keptFromIndex) }),
    ...(alsoKept !== undefined && { alsoKept: alsoKept.map(later) }),
    ...(instructionsLeft !== undefined && { instructionsLeft: instructionsLeft.map(later) }),
  };
}
