import { type ChatMessage, toChatMessage } from '../compaction/messages/message.ts';
import { undoneTogether } from '../compaction/records/record.ts';
import { append } from '../compaction/transcript/transcript.ts';
import { recordsInForce, viewBefore } from '../compaction/transcript/view.ts';
import { diffHtml } from '../insights/export/record-export.ts';
import { allFormats } from '../transcripts/all-formats.ts';
import { formatOf } from '../transcripts/import-transcript.ts';
import { type Command, type ExitCode, onOff, type Io, readArguments, UsageError, valued } from './command.ts';
import { diffText } from './diff-text.ts';
import { readJsonFile, readInput, readTranscriptText, writeMessages, writeText } from './files.ts';
import {
  isSession,
  lockSession,
  parseRecordFile,
  recordIn,
  type SessionDocument,
  undoOn,
  viewOfFileBefore as viewBeforeRecord,
  writeSession,
} from './record-file.ts';

export const diff: Command = {
  name: 'diff',
  synopsis:
    'RECORD.json|SESSION.jsonl [--id ID] [--html FILE] [--json] | FILE --from POINT [--to POINT] [--json]',
  summary:
    'Shows the outcome of each message. For a session, the newest compaction unless --id names another; with --from, the context at two points.',
  async run(args, io) {
    const { values, files } = readArguments(
      args,
      { id: valued, html: valued, json: onOff, from: valued, to: valued },
      ['FILE'],
    );
    if (values.from !== undefined || values.to !== undefined) {
      const { printViews } = await import('./view-diff.ts');
      return printViews(files[0] ?? '', values, io);
    }
    const { record, before } = await readCompaction(files[0] ?? '', values.id, io);
    if (values.html !== undefined) {
      await writeText(values.html, diffHtml(record, before));
      io.note(`Written to ${values.html}.`);
    }
    if (values.json) io.print(JSON.stringify(record.actions, null, 2));
    else if (values.html === undefined) io.print(diffText(record, before));
    return 0;
  },
};

/** Reads a compaction from a record file or a session, with the messages before the compaction. */
async function readCompaction(path: string, id: string | undefined, io: Io) {
  const text = await readInput(path);
  if (isSession(text)) {
    const { transcript } = await readTranscriptText(path, text, io);
    const record = recordIn({ path, text, transcript }, id);
    return { record, before: viewBefore(transcript.entries, record.id) };
  }
  if (id !== undefined) throw new UsageError('--id requires FILE to be a session.');
  const record = recordFileIn(path, text);
  return { record, before: viewBeforeRecord(record) };
}

/**
 * @throws {UsageError} if the file is not a compaction record; for a transcript, the error explains how to compare
 * the context at two points
 */
function recordFileIn(path: string, text: string) {
  try {
    return parseRecordFile(path, text);
  } catch (error) {
    const format = formatOf(text, 'auto', allFormats)?.id;
    if (format === undefined) throw error;
    throw new UsageError(
      `${path} is a transcript (format ${format}), not a compaction record; give --from POINT to compare its context at two points.`,
    );
  }
}

interface UndoOptions {
  readonly view?: string | undefined;
  readonly id?: string | undefined;
  readonly out?: string | undefined;
  readonly session?: string | undefined;
}

export const undo: Command = {
  name: 'undo',
  synopsis:
    'RECORD.json --view VIEW.json [--out FILE] | SESSION.jsonl [--id ID] [--out FILE] [--session FILE]',
  summary:
    'Writes the messages as if a compaction had not happened. For a session, the newest compaction in force unless --id names another.',
  async run(args, io) {
    const { values, files } = readArguments(
      args,
      { view: valued, id: valued, out: valued, session: valued },
      ['FILE'],
    );
    const [path = ''] = files;
    await using _lock = await lockSession(values.session);
    const text = await readInput(path);
    if (!isSession(text)) return await undoFromRecord(path, text, values, io);
    const { transcript } = await readTranscriptText(path, text, io);
    return await undoInSession({ path, text, transcript }, values, io);
  },
};

async function undoFromRecord(path: string, text: string, values: UndoOptions, io: Io): Promise<ExitCode> {
  if (values.id !== undefined || values.session !== undefined) {
    throw new UsageError('--id and --session require FILE to be a session.');
  }
  if (values.view === undefined) throw new UsageError('--view VIEW.json is required.');
  const record = parseRecordFile(path, text);
  const view = await readJsonFile(values.view);
  if (!Array.isArray(view)) throw new UsageError(`${values.view} is not an array of chat messages.`);
  const before = undoOn(record, view as readonly ChatMessage[]);
  if (before === undefined) {
    io.note(`${values.view} does not begin with the result of this compaction; nothing was undone.`);
    return 1;
  }
  await writeMessages(before, { out: values.out, count: before.length }, io);
  return 0;
}

async function undoInSession(session: SessionDocument, values: UndoOptions, io: Io): Promise<ExitCode> {
  if (values.view !== undefined)
    throw new UsageError('--view requires FILE to be a record; a session has its own messages.');
  const { path, transcript } = session;
  const inForce = recordsInForce(transcript.entries);
  const newest = inForce.at(-1);
  if (values.id === undefined && newest === undefined) {
    io.note(`${path} has no compaction in force; nothing was undone.`);
    return 1;
  }
  const { id } = values.id === undefined && newest !== undefined ? newest : recordIn(session, values.id);
  const recordIds = undoneTogether(inForce, id).map((record) => record.id);
  if (recordIds.length === 0) {
    io.note(`Compaction ${id} is not in force; nothing was undone.`);
    return 1;
  }
  const entry = { type: 'undo', createdAt: new Date().toISOString(), recordIds } as const;
  const undone = append(transcript, entry);
  const others = recordIds.filter((other) => other !== id);
  if (others.length > 0) io.note(`Also undone, because they build on it: ${others.join(', ')}.`);
  if (values.session !== undefined) {
    await writeSession(values.session, session, [entry]);
    io.note(`Written to ${values.session}.`);
  }
  if (values.out !== undefined || values.session === undefined) {
    const messages = undone.view.map(toChatMessage);
    await writeMessages(messages, { out: values.out, count: messages.length }, io);
  }
  return 0;
}
