import { defaultTargetRatio, defaultTriggerRatio } from '../../compaction/budget/budget.ts';
import { messagesOf } from '../../compaction/transcript.ts';
import { format } from '../../insights/export/record-words.ts';
import { cacheNames, cachePrices } from '../../measures/cache-price.ts';
import { replay as replayTranscript, type Replay } from '../../measures/replay.ts';
import { choiceOf, integerOf, readArguments } from '../arguments.ts';
import { strategyNamed } from '../chosen-strategy.ts';
import { UsageError, type Command } from '../command.ts';
import { readTranscript } from '../files.ts';
import { measuringPorts } from '../measuring-ports.ts';
import { tableText } from '../table.ts';

export const replay: Command = {
  name: 'replay',
  synopsis: `FILE --strategy ID --window N [--cache ${cacheNames.join('|')}] [--base-url URL --model NAME] [--json]`,
  summary:
    'Feeds a transcript call by call, as an agent would, and says what that costs against never compacting.',
  async run(args, io) {
    const { values, files } = readArguments(
      args,
      {
        strategy: { type: 'string' },
        window: { type: 'string' },
        cache: { type: 'string' },
        'base-url': { type: 'string' },
        model: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
      ['FILE'],
    );
    if (values.strategy === undefined) throw new UsageError('--strategy ID is missing.');
    const strategy = strategyNamed(values.strategy);
    const window = integerOf('window', values.window, 1);
    if (window === undefined) throw new UsageError('--window N is missing.');
    const cache = choiceOf('cache', values.cache, cacheNames) ?? 'anthropic';
    const ports = await measuringPorts({ baseUrl: values['base-url'], name: values.model }, window);
    const { transcript, tools } = await readTranscript(files[0] ?? '', io);

    const replayed = await replayTranscript(
      {
        messages: messagesOf(transcript),
        tools,
        strategy,
        budget: { window, triggerRatio: defaultTriggerRatio, targetRatio: defaultTargetRatio },
        price: cachePrices[cache],
      },
      ports,
      io.signal,
    );
    if (values.json) io.print(JSON.stringify(replayed, null, 2));
    else {
      io.print(`${strategy.id}, window ${format(window)}, cache ${cache}`);
      io.print(replayText(replayed));
    }
    return 0;
  },
};

function replayText(replayed: Replay): string {
  const rows = [
    ['calls', format(replayed.calls)],
    ['compactions', format(replayed.compactions)],
    ['time compacting', `${format(Math.round(replayed.compactionMs))} ms`],
    ['largest request', `${format(replayed.peakTokens)} tokens`],
    ['over the window', format(replayed.overflows)],
    ['invalid requests', format(replayed.invalidRequests)],
    ['input', `${format(replayed.inputTokens)} tokens`],
    ['input per call', `${format(replayed.tokensPerCall)} tokens`],
    ['billed as', `${format(Math.round(replayed.billedTokens))} tokens`],
    ['against append-only', replayed.relativeCost.toFixed(3)],
  ];
  return tableText(
    [
      { heading: '', align: 'left' },
      { heading: '', align: 'right' },
    ],
    rows,
  ).trimStart();
}
