import { viewBefore } from '../../compaction/view.ts';
import { diffHtml } from '../../insights/export/record-export.ts';
import { readArguments } from '../arguments.ts';
import { UsageError, type Command, type Io } from '../command.ts';
import { readText, readTranscriptText, writeText } from '../files.ts';
import { parseRecordFile, viewBefore as viewBeforeRecord } from '../record-file.ts';
import { diffText } from '../report.ts';
import { isSession, recordIn } from '../session-file.ts';

export const diff: Command = {
  name: 'diff',
  synopsis: 'RECORD.json|SESSION.jsonl [--id ID] [--html FILE] [--json]',
  summary: 'Says what became of each message. Of a session, by its newest compaction where no id is given.',
  async run(args, io) {
    const { values, files } = readArguments(
      args,
      { id: { type: 'string' }, html: { type: 'string' }, json: { type: 'boolean', default: false } },
      ['FILE'],
    );
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

/** The compaction of a record file, or one of a session, with the view that it was made for. */
async function readCompaction(path: string, id: string | undefined, io: Io) {
  const text = await readText(path);
  if (isSession(text)) {
    const { transcript } = readTranscriptText(path, text, io);
    const record = recordIn({ path, text, transcript }, id);
    return { record, before: viewBefore(transcript.entries, record.id) };
  }
  if (id !== undefined) throw new UsageError('--id needs a session as FILE.');
  const record = parseRecordFile(path, text);
  return { record, before: viewBeforeRecord(record) };
}
