import { toChatMessage, type ChatMessage, type Message } from '../compaction/message.ts';
import type { CompactionRecord } from '../compaction/record.ts';
import { transcriptOf } from '../compaction/transcript.ts';
import { repairPairs } from '../compaction/exchange.ts';
import { applyRecord } from '../compaction/view.ts';
import { UsageError } from './command.ts';
import { readJson } from './files.ts';

/** A record that needs no other file: it carries the messages it was made for. */
export interface RecordFile extends CompactionRecord {
  readonly originals: readonly Message[];
}

/** @throws {UsageError} where the file cannot be read or is no record */
export async function readRecordFile(path: string): Promise<RecordFile> {
  const value = (await readJson(path)) as Partial<RecordFile> | null;
  const isRecord =
    typeof value === 'object' &&
    value !== null &&
    typeof value.id === 'string' &&
    Array.isArray(value.actions) &&
    Array.isArray(value.outputs) &&
    Array.isArray(value.originals);
  if (!isRecord) throw new UsageError(`${path} is no compaction record; compact --record writes one.`);
  return value as RecordFile;
}

/** The view a record led to. */
export function viewAfter(file: RecordFile): readonly Message[] {
  const { view } = transcriptOf(file.originals.map((message) => ({ type: 'message', message })));
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
