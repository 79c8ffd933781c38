import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ledger } from '../../compaction/messages/ledger.ts';
import type { Message } from '../../compaction/messages/message.ts';
import type { WorkState } from '../../compaction/messages/where-it-stands.ts';
import { isWholeMessage } from '../../transcripts/session/session-line.ts';
import { isLedger, isWorkState } from '../../transcripts/session/session-schema.ts';
import { hookFormat } from './session-lines.ts';
import { ensureFolder, noteFile, readNote, writeNote } from './note-files.ts';

/** Stored facts about a session's file, so that the next call only reads appended lines. */
export interface SessionNotes {
  /** Id of the file's format; `auto` if the file was too short to detect it. */
  readonly format: string;
  /** Number of bytes read, up to the end of a line. */
  readonly read: number;
  /** Hash of the file's first bytes. If it differs, the file holds another session. */
  readonly beginning: string;
  /** Hash of the last bytes read. If it differs, the file was cut and is read again. */
  readonly ending: string;
  /** Facts of the known part. */
  readonly ledger: Ledger;
  /** The state of the work before the messages with open calls. */
  readonly state: WorkState;
  /** Messages from the first call without a result; the next read starts with them. */
  readonly open: readonly Message[];
}

/** Version of the format. Notes of another version are created again. */
const version = 6;

/** Reads the notes of a session; undefined if they are missing or unusable. */
export async function readNotes(folder: string, path: string): Promise<SessionNotes | undefined> {
  const value = await readNote(noteFile(folder, path, 'notes'));
  if (value?.['version'] !== version) return undefined;
  const { format, read, beginning, ending, ledger, state, open } = value;
  const isWhole =
    typeof format === 'string' &&
    (format === 'auto' || hookFormat('', format) !== undefined) &&
    typeof read === 'number' &&
    Number.isSafeInteger(read) &&
    read >= 0 &&
    typeof beginning === 'string' &&
    typeof ending === 'string' &&
    isLedger(ledger) &&
    // Unlike in old sessions, files in notes are never plain paths.
    ledger.filesModified.every((file: unknown) => typeof file === 'object') &&
    isWorkState(state) &&
    Array.isArray(open) &&
    open.every(isWholeMessage);
  return isWhole ? { format, read, beginning, ending, ledger, state, open } : undefined;
}

export async function writeNotes(folder: string, path: string, notes: SessionNotes): Promise<void> {
  await ensureFolder(folder);
  await writeNote(noteFile(folder, path, 'notes'), { version, ...notes });
}

/** Milliseconds after which the notes of an unused session are removed. */
const keptFor = 30 * 24 * 60 * 60_000;
/** Matches the names of all notes except receipts, and of files that a killed process left behind. */
const noteName = /^[\da-f]{32}\.(?:notes|pending|given|session)\.json/u;

/** Removes notes that were unchanged for a month. Files that cannot be removed are skipped. */
export async function removeOldNotes(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => noteName.test(one))) {
    const path = join(folder, name);
    const writtenAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
    if (now - writtenAt > keptFor) await rm(path, { recursive: true }).catch(() => {});
    // The clock has been set back, so the month begins now.
    else if (writtenAt > now) await utimes(path, now / 1_000, now / 1_000).catch(() => {});
  }
}
