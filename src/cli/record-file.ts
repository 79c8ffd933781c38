import { appendFile, realpath, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { repairPairs } from '../compaction/messages/exchange.ts';
import { type ChatMessage, type Message, toChatMessage } from '../compaction/messages/message.ts';
import type { CompactionRecord } from '../compaction/records/record.ts';
import type { TranscriptEntry } from '../compaction/transcript/transcript-entry.ts';
import { messagesOf, recordsOf, type Transcript } from '../compaction/transcript/transcript.ts';
import { applyRecord } from '../compaction/transcript/view.ts';
import type { ImportedTranscript } from '../transcripts/import-transcript.ts';
import { readSession, sessionFormat } from '../transcripts/session/session-format.ts';
import { isWholeMessage, readRecord } from '../transcripts/session/session-line.ts';
import { UsageError } from './command.ts';
import { parseJson, fileReason, writeText } from './files.ts';
import { isRecord } from '../language/is-record.ts';

/** A compaction record together with the messages before the compaction. */
export interface RecordFile extends CompactionRecord {
  /** Messages that undo restores. */
  readonly originals: readonly Message[];
}

/**
 * Returns the messages that undoing a compaction of this file restores. For a session, returns the context
 * after its compactions; for any other file, all messages.
 */
export function originalsOf({ format, transcript }: ImportedTranscript): readonly Message[] {
  return format === sessionFormat.id ? transcript.view : messagesOf(transcript);
}

/** @throws {UsageError} if the string is not a compaction record */
export function parseRecordFile(path: string, text: string): RecordFile {
  const value = parseJson(path, text);
  if (!isRecord(value)) throw notARecord(path);
  const record = readRecord(value);
  const { originals } = value;
  if (typeof record === 'string') throw notARecord(path, record);
  if (!Array.isArray(originals) || !originals.every(isWholeMessage)) {
    throw notARecord(path, 'its originals are not messages.');
  }
  return { ...record, originals };
}

function notARecord(path: string, objection = 'it is not an object.'): UsageError {
  return new UsageError(`${path} is not a compaction record as written by compact --record: ${objection}`);
}

/** Returns the messages sent to the model before the compaction. */
export function viewOfFileBefore(file: RecordFile): readonly Message[] {
  return repairPairs(file.originals);
}

/** Returns the messages sent to the model after the compaction. */
export function viewAfter(file: RecordFile): readonly Message[] {
  const view = viewOfFileBefore(file);
  return file.status === 'applied' ? repairPairs(applyRecord(view, file)) : view;
}

/**
 * Undoes a compaction. Returns the messages before the compaction, followed by messages added since then.
 *
 * @param view the messages after the compaction, followed by messages added since then
 * @returns undefined if `view` does not begin with the result of this compaction
 */
export function undoOn(file: RecordFile, view: readonly ChatMessage[]): readonly ChatMessage[] | undefined {
  const after = viewAfter(file).map(toChatMessage);
  const isItsView = after.every((message, index) => JSON.stringify(message) === JSON.stringify(view[index]));
  if (!isItsView) return undefined;
  return [...file.originals.map(toChatMessage), ...view.slice(after.length)];
}

/** A session of this extension, with the text from which it was read. */
export interface SessionDocument {
  readonly path: string;
  readonly text: string;
  readonly transcript: Transcript;
}

export function isSession(text: string): boolean {
  return sessionFormat.recognises(text);
}

/**
 * Locks a session before it is read, so that no other program writes to it during the command.
 * @param target file to be written; if undefined or missing, no lock is needed
 * @returns a disposable that releases the lock
 * @throws {Error} if the session is open in a window
 * @throws {UsageError} if it cannot be locked, for example in a read-only folder
 */
export async function lockSession(target: string | undefined): Promise<AsyncDisposable | undefined> {
  if (target === undefined || !(await isFile(target))) return undefined;
  const { HeldElsewhereError, SessionLock } = await import('../agent/locks/session-lock.ts');
  const lock = new SessionLock(await realpath(target), 'command line');
  try {
    await lock.hold();
  } catch (error) {
    if (!(error instanceof HeldElsewhereError)) {
      throw new UsageError(`Cannot write ${target}: ${fileReason(error)}.`, { cause: error });
    }
    const { window = '' } = error.owner ?? {};
    const where = window === '' ? 'another window' : `another window (${window})`;
    throw new Error(
      `${target} is open in ${where}, and only that window may write to it; nothing was changed.`,
      {
        cause: error,
      },
    );
  }
  return { [Symbol.asyncDispose]: () => lock.release() };
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

/**
 * Writes a session followed by new entries. If the target is the session's own file, the entries are appended.
 * @throws {UsageError} if the file cannot be written, or a newer version wrote the session
 */
export async function writeSession(
  target: string,
  session: SessionDocument,
  entries: readonly TranscriptEntry[],
): Promise<void> {
  const { text } = session;
  if (readSession(text.split('\n', 1)[0] ?? '').isNewer) {
    throw new UsageError(
      `A newer version of Context Budget wrote ${session.path}, so this version cannot write to it.`,
    );
  }
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  const lines = start + entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  if (path.resolve(target) !== path.resolve(session.path)) return writeText(target, text + lines);
  const size = (await stat(target).catch(() => undefined))?.size ?? 0;
  try {
    await appendFile(target, lines);
  } catch (error) {
    // A full disk may have stored only some of the lines.
    await truncate(target, size).catch(() => {});
    throw new UsageError(`Cannot write ${target}: ${fileReason(error)}.`);
  }
}

/**
 * Finds a compaction of a session, even if it was not applied.
 *
 * @param id id of the compaction; by default the newest
 * @throws {UsageError} if the session has no such compaction
 */
export function recordIn(
  { path: file, transcript }: SessionDocument,
  id: string | undefined,
): CompactionRecord {
  const records = recordsOf(transcript);
  const record = id === undefined ? records.at(-1) : records.find((candidate) => candidate.id === id);
  if (record !== undefined) return record;
  const known = records.map((candidate) => candidate.id).join(', ');
  throw new UsageError(
    known === ''
      ? `${file} has no compaction.`
      : `${file} has no compaction ${id}. Its compactions: ${known}.`,
  );
}
