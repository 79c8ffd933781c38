import { openErrors } from '../../compaction/ledger/open-errors.ts';
import type { Ledger } from '../../compaction/messages/ledger.ts';
import { type Message, toMessage } from '../../compaction/messages/message.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import { type ForeignCompaction, unknownTime } from '../../transcripts/reading/transcript-format.ts';
import type { SessionPiece } from './session-lines.ts';
import { importAround, newestMessages, type SessionAround } from './session-notes.ts';

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
  const around = await importAround(path, before, searched, format);
  const { whole } = around;
  if (whole === undefined) return 'not yet';
  const compaction = whole.compactions.at(-1);
  if (compaction !== undefined && isNew(compaction, whole, around)) return contextOf(whole, compaction);
  return before === undefined ? 'not yet' : unstatedContext(around, whole, before);
}

/**
 * True if the last compaction of the whole is after the position. A few lines after the position usually show it, so
 * that the far longer part before them is not read again.
 */
function isNew(last: ForeignCompaction, whole: SessionPiece, around: SessionAround): boolean {
  const few = around.since.length < keptSearched ? around.later() : undefined;
  if (few?.compactions.some((compaction) => idOf(compaction) === idOf(last)) === true) return true;
  return whole.compactions.length > (around.earlier()?.compactions.length ?? 0);
}

/**
 * Returns the context from a file that lacks the summary of the compaction. A reply after the announcement
 * shows that the agent has continued.
 */
function unstatedContext(
  { earlier, since }: SessionAround,
  whole: SessionPiece,
  before: number,
): ContextSince | 'not yet' | 'never' {
  const later = messagesOf(whole).slice(messagesOf(earlier() ?? { entries: [] }).length);
  if (!later.some(({ role }) => role === 'assistant')) return 'not yet';
  // Copilot Chat writes files of this format without summaries.
  if (whole.format !== 'copilot-cli') return 'never';
  // Copilot CLI continues during a compaction, and logs its beginning and end.
  const begun = since.lastIndexOf('"session.compaction_start"');
  const ended = since.lastIndexOf('"session.compaction_complete"');
  if (begun > ended) return 'not yet';
  if (ended >= 0 && /"success":\s*false/u.test(lineAt(since, ended))) return 'never';
  return { compaction: `after ${before}`, errors: openErrorsIn(whole), view: later };
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

/** Returns the context after a compaction in a piece. */
function contextOf(piece: SessionPiece, compaction: ForeignCompaction): ContextSince {
  const messages = messagesOf(piece);
  const { beforeMessageIndex: position, keptFromIndex = position, alsoKept = [], summary } = compaction;
  return {
    compaction: idOf(compaction),
    errors: openErrorsIn(piece),
    view: [
      summaryMessage(summary),
      ...alsoKept.flatMap((index) => messages[index] ?? []),
      ...messages.slice(keptFromIndex),
    ],
  };
}

function idOf({ createdAt = '', summary }: ForeignCompaction): string {
  return `${createdAt}\n${summary}`;
}

function summaryMessage(summary: string): Message {
  const envelope = { id: 'summary', origin: 'strategy', createdAt: unknownTime, kind: 'summary' } as const;
  return toMessage({ role: 'user', content: summary }, envelope);
}
