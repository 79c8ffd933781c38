import { kinds } from '../../compaction/message.ts';
import { encodingNames } from '../../compaction/tokens/encoding.ts';
import { sum } from '../../compaction/tokens/usage.ts';
import { choiceOf, readArguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { createMeter } from '../counting.ts';
import { readTranscript } from '../files.ts';

export const count: Command = {
  name: 'count',
  synopsis: `FILE [--encoding ${encodingNames.join('|')}] [--json]`,
  summary: 'Counts the tokens of a transcript, kind by kind.',
  async run(args, io) {
    const { values, files } = readArguments(
      args,
      { encoding: { type: 'string' }, json: { type: 'boolean', default: false } },
      ['FILE'],
    );
    const encoding = choiceOf('encoding', values.encoding, encodingNames) ?? encodingNames[0];
    const { transcript, tools } = await readTranscript(files[0] ?? '', io);
    const meter = await createMeter(encoding);
    const { total, byKind } = sum([await meter.measureTools(tools), await meter.measure(transcript.view)]);
    const messages = transcript.view.length;
    if (values.json) io.print(JSON.stringify({ total, byKind, messages }, null, 2));
    else {
      const used = kinds.filter((kind) => byKind[kind] > 0);
      const lines = [...used.map((kind) => [kind, byKind[kind]] as const), ['total', total] as const];
      io.print(lines.map(([name, tokens]) => `${name.padEnd(12)}${format(tokens).padStart(12)}`).join('\n'));
      io.print(`${format(messages)} messages, ${encoding}`);
    }
    return 0;
  },
};

function format(value: number): string {
  return value.toLocaleString('en');
}
