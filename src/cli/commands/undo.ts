import { toChatMessage, type ChatMessage } from '../../compaction/message.ts';
import { undoneTogether } from '../../compaction/record.ts';
import { append } from '../../compaction/transcript.ts';
import { recordsInForce } from '../../compaction/view.ts';
import { readArguments } from '../arguments.ts';
import { UsageError, type Command, type ExitCode, type Io } from '../command.ts';
import { readJson, readText, readTranscriptText, writeJson } from '../files.ts';
import { parseRecordFile, undoOn } from '../record-file.ts';
import { isSession, lockSession, recordIn, writeSession, type SessionFile } from '../session-file.ts';

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
    'Writes the messages before a compaction, with everything said since. Of a session, the newest compaction in force where no id is given.',
  async run(args, io) {
    const { values, files } = readArguments(
      args,
      {
        view: { type: 'string' },
        id: { type: 'string' },
        out: { type: 'string' },
        session: { type: 'string' },
      },
      ['FILE'],
    );
    const [path = ''] = files;
    await using _lock = await lockSession(values.session);
    const text = await readText(path);
    if (!isSession(text)) return await undoFromRecord(path, text, values, io);
    const { transcript } = readTranscriptText(path, text, io);
    return await undoInSession({ path, text, transcript }, values, io);
  },
};

async function undoFromRecord(path: string, text: string, values: UndoOptions, io: Io): Promise<ExitCode> {
  if (values.id !== undefined || values.session !== undefined) {
    throw new UsageError('--id and --session need a session as FILE.');
  }
  if (values.view === undefined) throw new UsageError('--view VIEW.json is missing.');
  const record = parseRecordFile(path, text);
  const view = await readJson(values.view);
  if (!Array.isArray(view)) throw new UsageError(`${values.view} is no array of chat messages.`);
  const before = undoOn(record, view as readonly ChatMessage[]);
  if (before === undefined) {
    io.note(`${values.view} does not begin with the view that this compaction led to; nothing was undone.`);
    return 1;
  }
  await writeMessages(before, values.out, io);
  return 0;
}

async function undoInSession(session: SessionFile, values: UndoOptions, io: Io): Promise<ExitCode> {
  if (values.view !== undefined)
    throw new UsageError('--view needs a record as FILE; a session has its own view.');
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
  if (others.length > 0) io.note(`Undone with it, as they build on it: ${others.join(', ')}.`);
  if (values.session !== undefined) {
    await writeSession(values.session, session, [entry]);
    io.note(`Written to ${values.session}.`);
  }
  if (values.out !== undefined || values.session === undefined) {
    await writeMessages(undone.view.map(toChatMessage), values.out, io);
  }
  return 0;
}

async function writeMessages(
  messages: readonly ChatMessage[],
  out: string | undefined,
  io: Io,
): Promise<void> {
  if (out === undefined) io.print(JSON.stringify(messages, null, 2));
  else {
    await writeJson(out, messages);
    io.note(`${messages.length} messages written to ${out}.`);
  }
}
