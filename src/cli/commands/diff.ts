import { transcriptOf } from '../../compaction/transcript.ts';
import { diffHtml } from '../../insights/export/diff-html.ts';
import { readArguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { writeText } from '../files.ts';
import { readRecordFile } from '../record-file.ts';
import { diffText } from '../report.ts';

export const diff: Command = {
  name: 'diff',
  synopsis: 'RECORD.json [--html FILE] [--json]',
  summary: 'Says what became of each message.',
  async run(args, io) {
    const { values, files } = readArguments(
      args,
      { html: { type: 'string' }, json: { type: 'boolean', default: false } },
      ['RECORD.json'],
    );
    const record = await readRecordFile(files[0] ?? '');
    const { view } = transcriptOf(record.originals.map((message) => ({ type: 'message', message })));
    if (values.html !== undefined) {
      await writeText(values.html, diffHtml(record, view));
      io.note(`Written to ${values.html}.`);
    }
    if (values.json) io.print(JSON.stringify(record.actions, null, 2));
    else if (values.html === undefined) io.print(diffText(record, view));
    return 0;
  },
};
