import type { ToolSchema } from '../compaction/messages/message.ts';
import type { TranscriptEntry } from '../compaction/transcript/transcript-entry.ts';
import { isRecord } from '../language/is-record.ts';
import { type SessionEvent, sessionVersion } from '../transcripts/session/session-event.ts';

/** The first line of a session file. */
export interface SessionStart {
  /** Id, unique among the sessions of a program. */
  readonly id: string;
  /** Time in ISO 8601. */
  readonly createdAt: string;
  /** Schemas sent with every request. */
  readonly tools?: readonly ToolSchema[];
}

/**
 * Writes the log of a conversation as a session file, which `readTranscript`, the extension and the command line can
 * read.
 *
 * ```ts
 * await writeFile('chat.jsonl', sessionText({ id: 'chat', createdAt }, conversation.entries));
 * ```
 *
 * @throws {TypeError} if the session has no id or no time, without which the file cannot be read again
 */
export function sessionText(start: SessionStart, entries: readonly TranscriptEntry[]): string {
  checkStart(start);
  const { id, createdAt, tools = [] } = start;
  const events: SessionEvent[] = [
    { type: 'session', version: sessionVersion, id, createdAt },
    ...(tools.length === 0 ? [] : [{ type: 'tools', tools } as const]),
    ...entries,
  ];
  return events.map(sessionLine).join('');
}

function checkStart(start: unknown): void {
  const { id, createdAt } = isRecord(start) ? start : {};
  const isTime = typeof createdAt === 'string' && !Number.isNaN(Date.parse(createdAt));
  if (typeof id === 'string' && id !== '' && isTime) return;
  throw new TypeError(
    "A session needs an id and a createdAt, such as { id: 'chat', createdAt: new Date().toISOString() }.",
  );
}

/** Returns a line of a session file. Append one for each new entry of a conversation. */
export function sessionLine(event: TranscriptEntry | SessionEvent): string {
  return `${JSON.stringify(event)}\n`;
}
