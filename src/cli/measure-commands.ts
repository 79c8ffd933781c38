import { createBudget } from '../compaction/budget/budget.ts';
import type { CoverageCount } from '../compaction/records/record.ts';
import { messagesOf } from '../compaction/transcript/transcript.ts';
import { format } from '../insights/export/record-export.ts';
import { artifactKinds } from '../measures/artifacts.ts';
import { cacheNames, cachePrices } from '../measures/cache-account.ts';
import { compareStrategies, type Comparison, cutAt } from '../measures/compare-strategies.ts';
import { recallOf } from '../measures/need-later.ts';
import { replay as replayTranscript, type Replay } from '../measures/replay-session.ts';
import { modelOptions, shares, windowOf } from './answering-model.ts';
import { strategiesNamed, strategyNamed } from './chosen-strategy.ts';
import { choiceOf, type Command, onOff, integerOf, readArguments, UsageError, valued } from './command.ts';
import { readTranscriptInput } from './files.ts';
import { measuringPorts, percent, alignedTable } from './measuring.ts';

/** Options that both commands share. */
const measuringOptions = { ...modelOptions, json: onOff } as const;

/** Percentage of messages that are compacted. The remaining messages show which facts were needed later. */
const defaultCut = 60;

export const compare: Command = {
  name: 'compare',
  synopsis: 'FILE [--strategies ID,…] [--window N] [--cut PERCENT] [--base-url URL --model NAME] [--json]',
  summary:
    'Compacts the same part of a transcript with every strategy, and measures what is kept and what is needed later.',
  async run(args, io) {
    const { values, files } = readArguments(args, { ...measuringOptions, strategies: valued, cut: valued }, [
      'FILE',
    ]);
    const strategies = strategiesNamed(values.strategies);
    const window = windowOf(values.window);
    const percentCut = integerOf('cut', values.cut, 1) ?? defaultCut;
    if (percentCut > 100) throw new UsageError(`--cut must be at most 100, not ${percentCut}.`);
    const budget = createBudget({ window, ...shares });
    const ports = await measuringPorts(values, window);
    const { transcript, tools } = await readTranscriptInput(files[0] ?? '', io);
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
    io.print(alignedTable(headings, comparisons.map(rowOf), 2));
    io.print(
      'facts: share of the ledger still in context. files, commands, identifiers: those used by later calls that are still in context.',
    );
    for (const { strategy, status, reason } of comparisons) {
      if (status !== 'applied' && reason !== undefined) io.print(`${strategy}: ${reason.message}`);
    }
    return 0;
  },
};

const headings = [
  ...['strategy', 'status', 'tokens', 'left', 'time', 'facts'],
  ...['files', 'commands', 'identifiers', 'cache miss', 'breaks even'],
] as const;

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
    percent(recallOf(together(Object.values(coverage) as readonly CoverageCount[]))),
    ...artifactKinds.map((kind) => `${reused[kind].kept}/${reused[kind].total}`),
    format(cost.cacheMissTokens),
    breakEven(comparison),
  ];
}

function breakEven({ status, cost }: Comparison): string {
  if (status !== 'applied') return '–';
  return cost.breakEvenCalls === null ? 'never' : `${format(cost.breakEvenCalls)} calls`;
}

function together(kept: readonly CoverageCount[]): CoverageCount {
  return kept.reduce(
    (all, each) => ({ kept: all.kept + each.kept, total: all.total + each.total, missing: [] }),
    { kept: 0, total: 0, missing: [] },
  );
}

export const replayCommand: Command = {
  name: 'replay',
  synopsis: `FILE --strategy ID --window N [--cache ${cacheNames.join('|')}] [--base-url URL --model NAME] [--json]`,
  summary:
    'Replays a transcript call by call, as an agent would, and compares its cost with never compacting.',
  async run(args, io) {
    const { values, files } = readArguments(args, { ...measuringOptions, strategy: valued, cache: valued }, [
      'FILE',
    ]);
    if (values.strategy === undefined) throw new UsageError('--strategy ID is required.');
    const strategy = strategyNamed(values.strategy);
    const window = integerOf('window', values.window, 1);
    if (window === undefined) throw new UsageError('--window N is required.');
    const cache = choiceOf('cache', values.cache, cacheNames) ?? 'anthropic';
    const ports = await measuringPorts(values, window);
    const { transcript, tools } = await readTranscriptInput(files[0] ?? '', io);

    const replayed = await replayTranscript(
      {
        messages: messagesOf(transcript),
        tools,
        strategy,
        budget: { window, ...shares },
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
    ['overflows', format(replayed.overflows)],
    ['invalid requests', format(replayed.invalidRequests)],
    ['input', `${format(replayed.inputTokens)} tokens`],
    ['input per call', `${format(replayed.tokensPerCall)} tokens`],
    ['billed as', `${format(Math.round(replayed.billedTokens))} tokens`],
    ['relative to no compaction', replayed.relativeCost.toFixed(3)],
  ];
  return alignedTable(['', ''], rows, 1).trimStart();
}
