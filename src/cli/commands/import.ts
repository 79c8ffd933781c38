import { messagesOf } from '../../compaction/transcript.ts';
import { toChatMessage } from '../../compaction/message.ts';
import { formatIds } from '../../transcripts/import.ts';
import { choiceOf, readArguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { readTranscript, writeJson } from '../files.ts';

export const importCommand: Command = {
  name: 'import',
  synopsis: `FILE [--format auto|${formatIds.join('|')}] [--out FILE]`,
  summary: 'Writes a transcript as OpenAI chat messages.',
  async run(args, io) {
    const { values, files } = readArguments(args, { format: { type: 'string' }, out: { type: 'string' } }, [
      'FILE',
    ]);
    const format = choiceOf('format', values.format, ['auto', ...formatIds]) ?? 'auto';
    const { transcript, tools, compactions } = await readTranscript(files[0] ?? '', io, format);
    const document = {
      messages: messagesOf(transcript).map(toChatMessage),
      ...(tools.length === 0 ? {} : { tools }),
      ...(compactions.length === 0 ? {} : { compactions }),
    };
    if (values.out === undefined) io.print(JSON.stringify(document, null, 2));
    else {
      await writeJson(values.out, document);
      io.note(`${document.messages.length} messages written to ${values.out}.`);
    }
    return 0;
  },
};
