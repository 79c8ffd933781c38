import { createBudget, defaultTargetRatio, defaultTriggerRatio } from '../../compaction/budget/budget.ts';
import type { Kept } from '../../compaction/record.ts';
import { messagesOf } from '../../compaction/transcript.ts';
import { format } from '../../insights/export/record-words.ts';
import { artifactKinds } from '../../measures/artifacts.ts';
import { compareStrategies, type Comparison } from '../../measures/compare.ts';
import { cutAt } from '../../measures/cut.ts';
import { recallOf } from '../../measures/need-later.ts';
import { integerOf, readArguments } from '../arguments.ts';
import { strategiesNamed } from '../chosen-strategy.ts';
import { UsageError, type Command } from '../command.ts';
import { readTranscript } from '../files.ts';
import { measuringPorts } from '../measuring-ports.ts';
import { percent, tableText, type Column } from '../table.ts';

/** Assumed where nothing is said of the window. */
const defaultWindow = 128_000;
/** Messages that are compacted, in per cent: the rest is the future that need-later recall looks at. */
const defaultCut = 60;

export const compare: Command = {
  name: 'compare',
  synopsis: 'FILE [--strategies ID,…] [--window N] [--cut PERCENT] [--base-url URL --model NAME] [--json]',
  summary:
    'Has every strategy compact the same transcript up to a cut, and measures what is left and what is needed later.',
  async run(args, io) {
    const { values, files } = readArguments(
      args,
      {
        strategies: { type: 'string' },
        window: { type: 'string' },
        cut: { type: 'string' },
        'base-url': { type: 'string' },
        model: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
      ['FILE'],
    );
    const strategies = strategiesNamed(values.strategies);
    const window = integerOf('window', values.window, 1) ?? defaultWindow;
    const percentCut = integerOf('cut', values.cut, 1) ?? defaultCut;
    if (percentCut > 100) throw new UsageError(`--cut must be at most 100, not ${percentCut}.`);
    const budget = createBudget({
      window,
      triggerRatio: defaultTriggerRatio,
      targetRatio: defaultTargetRatio,
    });
    const ports = await measuringPorts({ baseUrl: values['base-url'], name: values.model }, window);
    const { transcript, tools } = await readTranscript(files[0] ?? '', io);
    const messages = messagesOf(transcript);
    const cut = cutAt(messages, percentCut / 100);

    const comparisons = await compareStrategies(
      { messages, tools, cut },
      strategies,
      budget,
      ports,
      io.signal,
    );
    if (values.json) {
      io.print(JSON.stringify({ window, messages: messages.length, cut, strategies: comparisons }, null, 2));
      return 0;
    }
    const before = comparisons[0]?.tokensBefore ?? 0;
    io.print(
      `${format(cut)} of ${format(messages.length)} messages, ${format(before)} tokens, window ${format(window)}`,
    );
    io.print(tableText(columns, comparisons.map(rowOf)));
    io.print(
      'facts: of the ledger, still in the view. files, commands, identifiers: of what later calls use again.',
    );
    for (const { strategy, status, reason } of comparisons) {
      if (status !== 'applied' && reason !== undefined) io.print(`${strategy}: ${reason.message}`);
    }
    return 0;
  },
};

const columns: readonly Column[] = [
  { heading: 'strategy', align: 'left' },
  { heading: 'status', align: 'left' },
  { heading: 'tokens', align: 'right' },
  { heading: 'left', align: 'right' },
  { heading: 'time', align: 'right' },
  { heading: 'facts', align: 'right' },
  { heading: 'files', align: 'right' },
  { heading: 'commands', align: 'right' },
  { heading: 'identifiers', align: 'right' },
  { heading: 'cache miss', align: 'right' },
  { heading: 'breaks even', align: 'right' },
];

function rowOf(comparison: Comparison): readonly string[] {
  const { strategy, actualStrategy, status, tokensAfter, ratio, durationMs, coverage, needLater, cost } =
    comparison;
  const { reused } = needLater;
  return [
    strategy,
    actualStrategy === strategy ? status : `${status} (${actualStrategy})`,
    format(tokensAfter),
    percent(ratio),
    `${format(Math.round(durationMs))} ms`,
    percent(recallOf(together(Object.values(coverage) as readonly Kept[]))),
    ...artifactKinds.map((kind) => `${reused[kind].kept}/${reused[kind].total}`),
    format(cost.cacheMissTokens),
    breakEven(comparison),
  ];
}

function breakEven({ status, cost }: Comparison): string {
  if (status !== 'applied') return '–';
  return cost.breakEvenCalls === null ? 'never' : `${format(cost.breakEvenCalls)} calls`;
}

function together(kept: readonly Kept[]): Kept {
  return kept.reduce(
    (all, each) => ({ kept: all.kept + each.kept, total: all.total + each.total, missing: [] }),
    { kept: 0, total: 0, missing: [] },
  );
}
