import { messagesOf } from '../../compaction/transcript.ts';
import { toChatMessage, type Message } from '../../compaction/message.ts';
import { titleOf } from '../../agent/session-title.ts';
import { formatIds } from '../../transcripts/import.ts';
import { choiceOf, readArguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { readTranscript, writeJson } from '../files.ts';

export const importCommand: Command = {
  name: 'import',
  synopsis: `FILE [--format auto|${formatIds.join('|')}] [--conversation ID] [--out FILE]`,
  summary: 'Writes a transcript as OpenAI chat messages.',
  async run(args, io) {
    const { values, files } = readArguments(
      args,
      { format: { type: 'string' }, conversation: { type: 'string' }, out: { type: 'string' } },
      ['FILE'],
    );
    const format = choiceOf('format', values.format, ['auto', ...formatIds]) ?? 'auto';
    const { transcript, tools, compactions, window, others } = await readTranscript(
      files[0] ?? '',
      io,
      format,
      values.conversation,
    );
    const document = {
      messages: messagesOf(transcript).map(withReport),
      ...(tools.length === 0 ? {} : { tools }),
      ...(compactions.length === 0 ? {} : { compactions }),
      ...(window === undefined ? {} : { window }),
    };
    for (const { kind, id, opening = '' } of others ?? []) {
      io.note(`Also in the file: ${kind} ${id}, “${titleOf(opening)}” (--conversation ${id}).`);
    }
    if (values.out === undefined) io.print(JSON.stringify(document, null, 2));
    else {
      await writeJson(values.out, document);
      io.note(`${document.messages.length} messages written to ${values.out}.`);
    }
    return 0;
  },
};

/** Replies have the model and what its provider reported, where the file has them. */
function withReport(message: Message) {
  const { modelId: model, usage } = message;
  return {
    ...toChatMessage(message),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
  };
}
