import type { ChatMessage } from '../../compaction/message.ts';
import { readArguments } from '../arguments.ts';
import { UsageError, type Command } from '../command.ts';
import { readJson, writeJson } from '../files.ts';
import { readRecordFile, undoOn } from '../record-file.ts';

export const undo: Command = {
  name: 'undo',
  synopsis: 'RECORD.json --view VIEW.json [--out FILE]',
  summary: 'Writes the messages before a compaction, with everything said since.',
  async run(args, io) {
    const { values, files } = readArguments(args, { view: { type: 'string' }, out: { type: 'string' } }, [
      'RECORD.json',
    ]);
    if (values.view === undefined) throw new UsageError('--view VIEW.json is missing.');
    const record = await readRecordFile(files[0] ?? '');
    const view = await readJson(values.view);
    if (!Array.isArray(view)) throw new UsageError(`${values.view} is no array of chat messages.`);
    const before = undoOn(record, view as readonly ChatMessage[]);
    if (before === undefined) {
      io.note(`${values.view} does not begin with the view that this compaction led to; nothing was undone.`);
      return 1;
    }
    if (values.out === undefined) io.print(JSON.stringify(before, null, 2));
    else {
      await writeJson(values.out, before);
      io.note(`${before.length} messages written to ${values.out}.`);
    }
    return 0;
  },
};
