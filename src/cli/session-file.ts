import { appendFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CompactionRecord } from '../compaction/record.ts';
import { recordsOf, type Transcript } from '../compaction/transcript.ts';
import type { TranscriptEntry } from '../compaction/transcript-entry.ts';
import { readSession, sessionFormat } from '../transcripts/session-format.ts';
import { UsageError } from './command.ts';
import { reasonOf, writeText } from './files.ts';

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
 * Keeps everybody else from writing a session that is to be written, from before it is read.
 *
 * @param target undefined where none is; a file that does not exist yet is nobody's
 * @returns what ends it
 * @throws {Error} where a window has it open
 * @throws {UsageError} where it cannot be locked, as in a folder that cannot be written
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
 * Writes a session with what happened to it behind everything that it held. Written to the file that it was read
 * from, only that is appended.
 *
 * @throws {UsageError} where the file cannot be written, or a newer version wrote the session
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
 * @param id the newest one where not given
 * @throws {UsageError} where there is none of that id, or none at all
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
