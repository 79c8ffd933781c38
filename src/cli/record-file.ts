import { repairPairs } from '../compaction/exchange.ts';
import { toChatMessage, type ChatMessage, type Message } from '../compaction/message.ts';
import type { CompactionRecord } from '../compaction/record.ts';
import { messagesOf } from '../compaction/transcript.ts';
import { applyRecord } from '../compaction/view.ts';
import type { ImportedTranscript } from '../transcripts/import.ts';
import { isFields } from '../transcripts/fields.ts';
import { sessionFormat } from '../transcripts/session-format.ts';
import { isWholeMessage, readRecord } from '../transcripts/session-line.ts';
import { UsageError } from './command.ts';
import { parseJson } from './files.ts';

/** A record that needs no other file: it carries the messages it was made for. */
export interface RecordFile extends CompactionRecord {
  /** What an undo brings back. */
  readonly originals: readonly Message[];
}

/**
 * What a compaction of a file starts from and what its undo brings back: the context that a session has by its own
 * records; the messages of any other file, as they stand there.
 */
export function originalsOf({ format, transcript }: ImportedTranscript): readonly Message[] {
  return format === sessionFormat.id ? transcript.view : messagesOf(transcript);
}

/** @throws {UsageError} where the text of the file is no record */
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
 * @returns undefined where the view does not begin with what the compaction led to
 */
export function undoOn(file: RecordFile, view: readonly ChatMessage[]): readonly ChatMessage[] | undefined {
  const after = viewAfter(file).map(toChatMessage);
  const isItsView = after.every((message, index) => JSON.stringify(message) === JSON.stringify(view[index]));
  if (!isItsView) return undefined;
  return [...file.originals.map(toChatMessage), ...view.slice(after.length)];
}
