import { appendFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { repairPairs } from '../compaction/messages/exchange.ts';
import { type ChatMessage, type Message, toChatMessage } from '../compaction/messages/message.ts';
import type { CompactionRecord } from '../compaction/records/record.ts';
import type { TranscriptEntry } from '../compaction/transcript/transcript-entry.ts';
import { messagesOf, recordsOf, type Transcript } from '../compaction/transcript/transcript.ts';
import { applyRecord } from '../compaction/transcript/view.ts';
import type { ImportedTranscript } from '../transcripts/import-transcript.ts';
import { isFields } from '../transcripts/reading/fields.ts';
import { readSession, sessionFormat } from '../transcripts/session/session-format.ts';
import { isWholeMessage, readRecord } from '../transcripts/session/session-line.ts';
import { UsageError } from './command.ts';
import { parseJson, reasonOf, writeText } from './files.ts';

/** A record that needs no other file: it carries the messages it was made for. */
export interface RecordFile extends CompactionRecord {
  /** Messages that an undo brings back. */
  readonly originals: readonly Message[];
}

/**
 * Messages that a compaction of a file starts from and that its undo brings back: the context that a session has by its
 * own records; the messages of any other file, as they stand there.
 */
export function originalsOf({ format, transcript }: ImportedTranscript): readonly Message[] {
  return format === sessionFormat.id ? transcript.view : messagesOf(transcript);
}

/** @throws {UsageError} if the text of the file is no record */
export function parseRecordFile(path: string, text: string): RecordFile {
  const value = parseJson(path, text);
  if (!isFields(value)) throw notARecord(path);
  const record = readRecord(value);
  const { originals } = value;
  if (typeof record === 'string') throw notARecord(path, record);
  if (!Array.isArray(originals) || !originals.every(isWholeMessage)) {
    throw notARecord(path, 'its originals are not messages.');
  }
  return { ...record, originals };
}

function notARecord(path: string, objection = 'it is not an object.'): UsageError {
  return new UsageError(
    `${path} is no compaction record; compact --record writes one. Of this one: ${objection}`,
  );
}

/** The view that a record was made for. */
export function viewBefore(file: RecordFile): readonly Message[] {
  return repairPairs(file.originals);
}

/** The view that a record led to. */
export function viewAfter(file: RecordFile): readonly Message[] {
  const view = viewBefore(file);
  return file.status === 'applied' ? repairPairs(applyRecord(view, file)) : view;
}

/**
 * The messages before a compaction, with everything that was said since.
 *
 * @param view what the compaction led to, and what was appended to it
 * @returns undefined if the view does not begin with what the compaction led to
 */
export function undoOn(file: RecordFile, view: readonly ChatMessage[]): readonly ChatMessage[] | undefined {
  const after = viewAfter(file).map(toChatMessage);
  const isItsView = after.every((message, index) => JSON.stringify(message) === JSON.stringify(view[index]));
  if (!isItsView) return undefined;
  return [...file.originals.map(toChatMessage), ...view.slice(after.length)];
}

/** A session of this program, as it was read. */
export interface SessionFile {
  readonly path: string;
  readonly text: string;
  readonly transcript: Transcript;
}

export function isSession(text: string): boolean {
  return sessionFormat.recognises(text);
}

/**
 * Keeps all others from writing a session that is to be written, from before it is read.
 *
 * @param target undefined if none is; a file that does not exist yet needs no lock
 * @returns what ends it
 * @throws {Error} if a window has it open
 * @throws {UsageError} if it cannot be locked, as in a folder that cannot be written
 */
export async function lockSession(target: string | undefined): Promise<AsyncDisposable | undefined> {
  if (target === undefined || !(await isFile(target))) return undefined;
  const { HeldElsewhereError, SessionLock } = await import('../agent/locks/session-lock.ts');
  const lock = new SessionLock(await realpath(target), 'command line');
  try {
    await lock.hold();
  } catch (error) {
    if (!(error instanceof HeldElsewhereError)) {
      throw new UsageError(`Cannot write ${target}: ${reasonOf(error)}.`, { cause: error });
    }
    const { window = '' } = error.owner ?? {};
    const where = window === '' ? 'another window' : `another window (${window})`;
    throw new Error(`${target} is open in ${where}, and only that one writes it; nothing was done.`, {
      cause: error,
    });
  }
  return { [Symbol.asyncDispose]: () => lock.release() };
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

/**
 * Writes a session with what happened to it after everything that it held. Written to the file that it was read
 * from, only that is appended.
 *
 * @throws {UsageError} if the file cannot be written, or a newer version wrote the session
 */
export async function writeSession(
  target: string,
  session: SessionFile,
  entries: readonly TranscriptEntry[],
): Promise<void> {
  const { text } = session;
  if (readSession(text.split('\n', 1)[0] ?? '').isNewer) {
    throw new UsageError(
      `A newer version of Context Budget wrote ${session.path}, so nothing can be added to it.`,
    );
  }
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  const lines = start + entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  if (path.resolve(target) !== path.resolve(session.path)) return writeText(target, text + lines);
  try {
    await appendFile(target, lines);
  } catch (error) {
    throw new UsageError(`Cannot write ${target}: ${reasonOf(error)}.`);
  }
}

/**
 * A compaction of a session, also one that was not applied.
 *
 * @param id the newest one if not given
 * @throws {UsageError} if there is none of that id, or none at all
 */
export function recordIn({ path: file, transcript }: SessionFile, id: string | undefined): CompactionRecord {
  const records = recordsOf(transcript);
  const record = id === undefined ? records.at(-1) : records.find((candidate) => candidate.id === id);
  if (record !== undefined) return record;
  const known = records.map((candidate) => candidate.id).join(', ');
  throw new UsageError(
    known === '' ? `${file} has no compaction.` : `${file} has no compaction ${id}; it has ${known}.`,
  );
}
