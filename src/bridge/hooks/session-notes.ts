import { createHash } from 'node:crypto';
import { callEnds } from '../../compaction/ledger/call-ends.ts';
import { extractLedger } from '../../compaction/ledger/extract.ts';
import { workState } from '../../compaction/ledger/work-state.ts';
import {
  type Carried,
  emptyLedger,
  lastMet,
  type Ledger,
  ledgerSections,
} from '../../compaction/messages/ledger.ts';
import { isPrompt, type Message, toMessage } from '../../compaction/messages/message.ts';
import { emptyState, type WorkState } from '../../compaction/messages/where-it-stands.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import { ofSubAgent, unknownTime } from '../../transcripts/reading/transcript-format.ts';
import { isRolloutOfSubAgent } from '../../transcripts/formats/codex/codex-files.ts';
import { type OpenedLines, withSessionFile } from './opened-lines.ts';
import { hookFormat, readNewestLines, readSessionLines, type SessionPiece } from './session-lines.ts';
import { readNotes, removeOldNotes, type SessionNotes, writeNotes } from './stored-notes.ts';

/** Bytes compared at each end of the known part to identify a session's file. */
const comparedBytes = 1_024;
/** Bytes at the beginning of a file that usually show its format. */
const headSize = 65_536;
/** Maximum bytes read at once, from the end of the file, so that a hook does not delay its agent. */
const mostBytes = 128_000_000;
/** Number of newest messages that are searched for all facts. */
export const newestMessages = 250;
/**
 * Number of newest messages that are searched for requests and actions. Earlier messages are searched only for
 * requests.
 */
const newerMessages = 1_500;
/** Maximum number of newest facts kept in a section, far more than an answer to a hook can hold. */
const mostFacts = 400;

/**
 * Reads the lines appended to a session since the last call, and stores the result.
 * @param folder folder of the notes
 * @param path path of the session's file
 * @throws {ImportError} if the file is not a readable session
 * @throws {HookCallError} if the path is not a file
 */
export async function updateNotes(folder: string, path: string): Promise<SessionNotes> {
  const stored = await readNotes(folder, path);
  return withSessionFile(path, async (session) => {
    const { size } = session;
    const known = stored !== undefined && (await goesOn(session, stored)) ? stored : undefined;
    const start = Math.max(known?.read ?? 0, size - mostBytes);
    const { lines, end: read } = await readNewestLines(session, start, size, start > (known?.read ?? 0));
    if (known !== undefined && read === start) return known;
    const format = known?.format ?? (await formatAtHead(session));
    const readPiece = await pieceReader(session, format);
    const piece = readPiece(lines, known !== undefined);
    const notes: SessionNotes = {
      format: piece?.format ?? format,
      read,
      ...(await endsOf(session, read)),
      ...later(
        known ?? { ledger: emptyLedger, state: emptyState, open: [] },
        piece === undefined ? [] : messagesOf(piece),
      ),
    };
    if (stored === undefined) await removeOldNotes(folder);
    // Written last, so that a separate process has finished once they are there.
    await writeNotes(folder, path, notes);
    return notes;
  });
}

/** The messages of a session around a position in its file. A part without messages is undefined. */
export interface SessionAround {
  /** Reads the part before the position. */
  readonly earlier: () => SessionPiece | undefined;
  /** The whole part that was read, up to the end of the file. */
  readonly whole: SessionPiece | undefined;
  /** Reads the part from the position to the end, without anything before it. */
  readonly later: () => SessionPiece | undefined;
  /** Lines from the position to the end, UTF-8. */
  readonly since: Buffer;
}

/**
 * Reads a session around a position in its file.
 * @param place position in bytes, at the beginning of a line; by default the end
 * @param before bytes to read before the position, rounded to whole lines
 */
export async function importAround(
  path: string,
  place: number | undefined,
  before: number,
  format: string,
): Promise<SessionAround> {
  return withSessionFile(path, async (session) => {
    const { size } = session;
    const from = Math.max(0, Math.min(place ?? size, size) - before - 1, size - mostBytes);
    const middle = Math.max(from, Math.min(place ?? from, size));
    const earlier = await readNewestLines(session, from, middle, from > 0);
    const later = await readNewestLines(session, middle, size, middle === from && from > 0);
    const readPiece = await pieceReader(session, format);
    const since = Buffer.concat([later.lines, later.rest]);
    return {
      earlier: () => (earlier.lines.length === 0 ? undefined : readPiece(earlier.lines, true)),
      whole: readPiece(Buffer.concat([earlier.lines, since]), true),
      later: () => readPiece(since, true),
      since,
    };
  });
}

/** True if the file still begins with the known part. */
async function goesOn(session: OpenedLines, notes: SessionNotes): Promise<boolean> {
  if (notes.read > session.size) return false;
  const { beginning, ending } = await endsOf(session, notes.read);
  return beginning === notes.beginning && ending === notes.ending;
}

async function endsOf(
  session: OpenedLines,
  read: number,
): Promise<Pick<SessionNotes, 'beginning' | 'ending'>> {
  const hashOf = async (start: number, end: number) =>
    createHash('sha256')
      .update(await session.bytes(start, end))
      .digest('hex');
  return {
    beginning: await hashOf(0, Math.min(read, comparedBytes)),
    ending: await hashOf(Math.max(0, read - comparedBytes), read),
  };
}

async function headOf(session: OpenedLines): Promise<string> {
  return (await session.bytes(0, Math.min(session.size, headSize))).toString('utf8');
}

/** Returns a reader for any lines of a session. The beginning shows whether a sub-agent wrote the session. */
async function pieceReader(session: OpenedLines, format: string) {
  const isOfSubAgent = isRolloutOfSubAgent(await headOf(session));
  return (bytes: Buffer, isPiece: boolean): SessionPiece | undefined => {
    const piece = readSessionLines(bytes, format, isPiece);
    return piece === undefined || !isOfSubAgent ? piece : ofSubAgent(piece);
  };
}

/** Detects the format from the beginning of the file, because the lines read may start later. */
async function formatAtHead(session: OpenedLines): Promise<string> {
  const head = await headOf(session);
  return hookFormat(head.slice(0, head.lastIndexOf('\n') + 1), 'auto')?.id ?? 'auto';
}

/**
 * Updates the known facts with later messages. Open errors are left out, because later messages do not show
 * how they were resolved.
 */
function later(
  earlier: Pick<SessionNotes, 'ledger' | 'state' | 'open'>,
  messages: readonly Message[],
): Pick<SessionNotes, 'ledger' | 'state' | 'open'> {
  if (messages.length === 0) return earlier;
  const told = messages.flatMap((message, index): Message | readonly [] => {
    const later = messages.length - index;
    if (later <= newestMessages || isPrompt(message)) return message;
    const isNewer = later <= newerMessages && (message.tool_calls !== undefined || message.role === 'tool');
    return isNewer ? { ...message, content: '' } : [];
  });
  const said = [...earlier.open, ...told];
  const found = extractLedger([carrying({ ledger: { ...earlier.ledger, requests: [] } }), ...said]);
  const requests = lastMet(earlier.ledger.requests, found.requests);
  const merged: Ledger = { ...found, errors: [], requests };
  const kept = ledgerSections.map((section) => [section, merged[section].slice(-mostFacts)]);
  // Includes all outputs. A command whose output is missing would seem to have printed nothing.
  const whole = [...earlier.open, ...messages];
  const ends = callEnds(whole);
  const openAt = whole.findIndex(({ tool_calls: calls = [] }) =>
    calls.some((call) => ends.get(call)?.end === 'pending'),
  );
  const settled = openAt < 0 ? whole : whole.slice(0, openAt);
  return {
    ledger: Object.fromEntries(kept) as Ledger,
    state: stateAfter(earlier.state, settled),
    open: whole.slice(settled.length),
  };
}

/** Returns the state of the work in the known part of a session. */
export function stateOfNotes({ state, open }: SessionNotes): WorkState {
  return stateAfter(state, open);
}

/** Updates the state, without its position, because ids of messages are only valid within a piece. */
function stateAfter(earlier: WorkState, messages: readonly Message[]): WorkState {
  const { upTo: _id, ...state } = workState([carrying({ state: earlier }), ...messages]);
  return state;
}

/**
 * Returns a summary message with the known facts, so that later messages can replace some of them. The facts already
 * contain the rules from requests, so requests are not read again.
 */
function carrying(carried: Carried): Message {
  return toMessage(
    { role: 'user', content: '' },
    {
      id: 'notes',
      origin: 'harness',
      createdAt: unknownTime,
      kind: 'summary',
      carried,
    },
  );
}
