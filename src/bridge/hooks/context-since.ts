import { openErrors } from '../../compaction/ledger/open-errors.ts';
import type { Ledger } from '../../compaction/messages/ledger.ts';
import { type Message, toMessage } from '../../compaction/messages/message.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import { unknownTime } from '../../transcripts/reading/transcript-format.ts';
import type { SessionPiece } from './session-lines.ts';
import { importAround, newestMessages } from './session-notes.ts';

/** Bytes before a compaction that are searched for kept messages. */
const keptSearched = 500_000;
/** Bytes at the end of a file that are searched for an unannounced compaction. */
const compactionSearched = 2_000_000;

/** Context of an agent after a compaction. */
interface ContextSince {
  /** The summary if the file has it, the kept messages, and all later messages. */
  readonly view: readonly Message[];
  /** Id of the compaction within its session. */
  readonly compaction: string;
  /** Open errors in the newest part of the session. */
  readonly errors: Ledger['errors'];
}

/**
 * Reads the context after a compaction from the file of its session.
 * @param before size of the file in bytes before the compaction; undefined if it was not announced
 * @param format id of the format
 * @returns `never` if the agent continued without a compaction
 */
export async function contextSince(
  path: string,
  before: number | undefined,
  format: string,
): Promise<ContextSince | 'not yet' | 'never'> {
  // The bytes before the compaction are also searched, for kept messages.
  const searched = before === undefined ? compactionSearched : keptSearched;
  const { earlier, whole, since } = await importAround(path, before, searched, format);
  if (whole === undefined) return 'not yet';
  const known = earlier?.compactions.length ?? 0;
  const context = whole.compactions.length > known ? contextOf(whole) : undefined;
  if (context !== undefined) return context;
  return before === undefined ? 'not yet' : unstatedContext(earlier, whole, since, before);
}

/** Formats whose files may lack summaries. Transcripts of Copilot Chat contain no summaries. */
const formatsWithoutSummaries: ReadonlySet<string> = new Set(['copilot-cli']);

/**
 * Returns the context from a file that lacks the summary of the compaction. A reply after the announcement
 * shows that the agent has continued.
 */
function unstatedContext(
  earlier: SessionPiece | undefined,
  whole: SessionPiece,
  since: Buffer,
  before: number,
): ContextSince | 'not yet' | 'never' {
  const start = earlier === undefined ? 0 : messagesOf(earlier).length;
  if (!hasReply(whole, start)) return 'not yet';
  if (!formatsWithoutSummaries.has(whole.format)) return 'never';
  // Copilot CLI continues during a compaction, and logs its beginning and end.
  const begun = since.lastIndexOf('"session.compaction_start"');
  const ended = since.lastIndexOf('"session.compaction_complete"');
  if (begun > ended) return 'not yet';
  if (ended >= 0 && /"success":\s*false/u.test(lineAt(since, ended))) return 'never';
  const errors = openErrorsIn(whole);
  return { compaction: `after ${before}`, errors, view: messagesOf(whole).slice(start) };
}

/** Finds the open errors of a piece, only from its calls and results. */
function openErrorsIn(piece: SessionPiece): Ledger['errors'] {
  const newest = messagesOf(piece).slice(-newestMessages);
  const silent = newest.flatMap((message): Message | readonly [] => {
    if (message.role === 'tool') return message;
    return message.tool_calls === undefined ? [] : { ...message, content: '' };
  });
  return openErrors(silent);
}

function lineAt(lines: Buffer, place: number): string {
  const end = lines.indexOf('\n', place);
  return lines.toString('utf8', lines.lastIndexOf('\n', place) + 1, end < 0 ? undefined : end);
}

function hasReply(piece: SessionPiece, from: number): boolean {
  return messagesOf(piece)
    .slice(from)
    .some(({ role }) => role === 'assistant');
}

/** Returns the context after the last compaction of a piece; undefined without a compaction. */
function contextOf(piece: SessionPiece): ContextSince | undefined {
  const last = piece.compactions.at(-1);
  if (last === undefined) return undefined;
  const messages = messagesOf(piece);
  const {
    beforeMessageIndex: position,
    keptFromIndex = position,
    alsoKept = [],
    summary,
    createdAt = '',
  } = last;
  return {
    compaction: `${createdAt}\n${summary}`,
    errors: openErrorsIn(piece),
    view: [
      summaryMessage(summary),
      ...alsoKept.flatMap((index) => messages[index] ?? []),
      ...messages.slice(keptFromIndex),
    ],
  };
}

function summaryMessage(summary: string): Message {
  const envelope = { id: 'summary', origin: 'strategy', createdAt: unknownTime, kind: 'summary' } as const;
  return toMessage({ role: 'user', content: summary }, envelope);
}
