import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import type { CompactionRecord } from '../compaction/record.ts';
import { recordsOf, type Transcript } from '../compaction/transcript.ts';
import type { TranscriptEntry } from '../compaction/transcript-entry.ts';
import { sessionFormat } from '../transcripts/session-format.ts';
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
 * Writes a session with what happened to it behind everything that it held. Written to the file that it was read
 * from, only that is appended.
 *
 * @throws {UsageError} where the file cannot be written
 */
export async function writeSession(
  target: string,
  session: SessionFile,
  entries: readonly TranscriptEntry[],
): Promise<void> {
  const { text } = session;
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
