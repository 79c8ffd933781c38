import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { extractLedger } from '../../compaction/ledger/extract.ts';
import { emptyLedger, type Ledger, ledgerSections, mergeLedgers } from '../../compaction/messages/ledger.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import { isRecord } from '../../language/is-record.ts';
import { importTranscript, type ImportedTranscript } from '../../transcripts/import-transcript.ts';
import { ImportError } from '../../transcripts/reading/transcript-format.ts';
import { HookCallError } from './hook-call.ts';
import { ensureFolder, noteFile, writeWhole } from './note-files.ts';

/** Notes on a session's file, which make reading it again a matter of what was appended. */
export interface SessionNotes {
  /** Id of the format that the file is in. */
  readonly format: string;
  /** Bytes that were read, up to the end of a line. */
  readonly read: number;
  /** Names the beginning of the file: another one is another session, whatever its path. */
  readonly beginning: string;
  /** Facts of what was read. */
  readonly ledger: Ledger;
}

/** Shape of the file of notes. Notes of another shape are made again. */
const version = 1;
/** Bytes at the beginning of a session's file by which it is known. */
const beginningSize = 1_024;
/** Bytes of the largest session that is read at once: a hook must not hold up its agent. */
const mostBytes = 200_000_000;
/** Facts of a section that are kept, the newest. Far more than fit into what is given back. */
const mostFacts = 400;

/**
 * Reads what was appended to a session since the last time, and keeps the result.
 *
 * @param folder of the notes
 * @param path of the session's file
 * @throws {ImportError} if the file is no session that can be read
 * @throws {HookCallError} if it is too large
 */
export async function updateNotes(folder: string, path: string): Promise<SessionNotes> {
  const known = await readNotes(folder, path);
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(Math.min(size, beginningSize));
    await file.read(head, 0, head.length, 0);
    const goesOn =
      known !== undefined &&
      known.read <= size &&
      beginningOf(head.subarray(0, known.read)) === known.beginning;
    const start = goesOn ? known.read : 0;
    if (size - start > mostBytes) throw new HookCallError(`the session is larger than ${mostBytes / 1e6} MB`);
    const bytes = Buffer.alloc(size - start);
    await file.read(bytes, 0, bytes.length, start);
    const end = bytes.lastIndexOf('\n') + 1;
    if (goesOn && end === 0) return known;
    const imported = importPiece(bytes.toString('utf8', 0, end), goesOn ? known.format : 'auto', goesOn);
    const notes: SessionNotes = {
      format: imported?.format ?? known?.format ?? 'auto',
      read: start + end,
      beginning: beginningOf(head.subarray(0, start + end)),
      ledger: later(goesOn ? known.ledger : emptyLedger, imported),
    };
    await writeNotes(folder, path, notes);
    return notes;
  } finally {
    await file.close();
  }
}

/** A session from a place in its file on. Either part is undefined if nothing was said in it. */
export interface SessionAround {
  /** Up to the other place. */
  readonly earlier: ImportedTranscript | undefined;
  /** To the end. */
  readonly whole: ImportedTranscript | undefined;
}

/**
 * Reads a session from a place in its file on, which is moved to the beginning of the next line unless it is at the
 * beginning of one.
 *
 * @param start bytes
 * @param place bytes, at the beginning of a line, not before the start
 */
export async function importAround(
  path: string,
  start: number,
  place: number,
  format: string,
): Promise<SessionAround> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, Math.min(start, size) - 1);
    const bytes = Buffer.alloc(size - from);
    await file.read(bytes, 0, bytes.length, from);
    const first = from === 0 ? 0 : bytes.indexOf('\n') + 1;
    const middle = Math.max(first, Math.min(place - from, bytes.length));
    return {
      earlier:
        middle === first ? undefined : importPiece(bytes.toString('utf8', first, middle), format, true),
      whole: importPiece(bytes.toString('utf8', first), format, true),
    };
  } finally {
    await file.close();
  }
}

/** In the middle of a file, lines in which nothing was said are no mistake. */
function importPiece(text: string, format: string, isPiece: boolean): ImportedTranscript | undefined {
  try {
    return importTranscript(text, format);
  } catch (error) {
    if (isPiece && error instanceof ImportError) return undefined;
    throw error;
  }
}

/**
 * Facts of a session with what was said since. Of errors only the newer ones are kept: what resolved an earlier one
 * cannot be seen from here.
 */
function later(earlier: Ledger, imported: ImportedTranscript | undefined): Ledger {
  if (imported === undefined) return earlier;
  const merged = mergeLedgers({ ...earlier, errors: [] }, extractLedger(messagesOf(imported.transcript)));
  const newest = ledgerSections.map((section) => [section, merged[section].slice(-mostFacts)]);
  return Object.fromEntries(newest) as Ledger;
}

function beginningOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function readNotes(folder: string, path: string): Promise<SessionNotes | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(noteFile(folder, path, 'notes'), 'utf8'));
    if (!isRecord(value) || value['version'] !== version) return undefined;
    const { format, read, beginning, ledger } = value;
    const isWhole =
      typeof format === 'string' &&
      typeof read === 'number' &&
      typeof beginning === 'string' &&
      isLedger(ledger);
    return isWhole ? { format, read, beginning, ledger } : undefined;
  } catch {
    return undefined;
  }
}

function isLedger(value: unknown): value is Ledger {
  if (!isRecord(value)) return false;
  return ledgerSections.every((section) => {
    const facts = value[section];
    return Array.isArray(facts) && facts.every((fact) => typeof fact === 'string' || isRecord(fact));
  });
}

async function writeNotes(folder: string, path: string, notes: SessionNotes): Promise<void> {
  await ensureFolder(folder);
  await writeWhole(noteFile(folder, path, 'notes'), JSON.stringify({ version, ...notes }));
}
