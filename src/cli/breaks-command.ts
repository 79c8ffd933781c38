import { factsOfModel } from '../compaction/budget/model-table.ts';
import { sameToolsThroughout } from '../compaction/transcript/transcript-entry.ts';
import { breakSentence } from '../insights/break-sentence.ts';
import { type BreakGroup, cacheBreaks } from '../insights/cache-breaks.ts';
import { counted, format } from '../insights/export/record-export.ts';
import { createTimeline } from '../insights/session-timeline.ts';
import { addForeignCompactions } from '../transcripts/foreign-compactions.ts';
import { type Command, oneLine, onOff, readArguments } from './command.ts';
import { readInput, readTranscriptText } from './files.ts';
import { createMeter } from './measuring.ts';

/** Maximum requests named with a cause. */
const mostNamed = 8;

export const breaksCommand: Command = {
  name: 'breaks',
  synopsis: 'FILE [--json]',
  summary: 'Names what broke the prompt cache, with the tokens that were processed again.',
  async run(args, io) {
    const { values, files } = readArguments(args, { json: onOff }, ['FILE']);
    const path = files[0] ?? '';
    const imported = await readTranscriptText(path, await readInput(path), io);
    const meter = createMeter('o200k_base');
    const { tools, toolHistory = sameToolsThroughout(tools) } = imported;
    const { calls } = await createTimeline(meter, toolHistory)(await addForeignCompactions(imported, meter));
    const groups = cacheBreaks(calls, { factsOf: (model) => factsOfModel(model) });
    if (values.json) {
      io.print(JSON.stringify({ requests: calls.length, breaks: groups.map(printed) }, null, 2));
      return 0;
    }
    const breaks = groups.reduce((total, group) => total + group.breaks.length, 0);
    const tokens = groups.reduce((total, group) => total + group.tokens, 0);
    const total = `${counted(breaks, 'cache break')} in ${counted(calls.length, 'request')}`;
    io.print(breaks === 0 ? total : `${total}: ${format(tokens)} tokens again`);
    for (const line of groups.flatMap(linesOf)) io.print(line);
    return 0;
  },
};

function printed(group: BreakGroup) {
  const { breaks, tokens, dollars } = group;
  const [worst] = breaks;
  return {
    cause: causeOf(group),
    tokens,
    ...(dollars === undefined ? {} : { dollars }),
    requests: breaks.map(({ request }) => request),
    ...(worst?.place && { before: worst.place.change.before, after: worst.place.change.after }),
  };
}

function linesOf(group: BreakGroup): readonly string[] {
  const { cause, tokens, dollars, requests, before, after } = printed(group);
  const named = requests.slice(0, mostNamed).join(', ');
  const sizes = [
    `${format(tokens)} tokens`,
    ...(dollars === undefined ? [] : [`$${dollars.toFixed(2)}`]),
    `${requests.length === 1 ? 'request' : 'requests'} ${named}${requests.length > mostNamed ? ', …' : ''}`,
  ];
  return [
    `${format(requests.length)} × ${oneLine(cause)}`,
    ...(before === undefined ? [] : [`    “${oneLine(before)}” → “${oneLine(after ?? '')}”`]),
    `    ${sizes.join(', ')}`,
  ];
}

function causeOf({ breaks: [worst] }: BreakGroup): string {
  return worst === undefined ? '' : breakSentence(worst).english;
}
