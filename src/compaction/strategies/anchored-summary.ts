import { strategySentences } from '../../language/english/strategies-english.ts';
import { hasNews } from '../summary/summarise.ts';
import {
  anchoredSources,
  discussionRoom,
  ledgerRoom,
  memoryOption,
  stayingBesideSummary,
  summaryTask,
} from './steps/summary-sources.ts';
import { summaryOptions } from './llm-summary.ts';
import { defineStrategy, planned, unchanged } from './contract/strategy.ts';
import { WorkingView } from './contract/working-view.ts';

export const anchoredOptions = {
  discussionTokens: {
    type: 'integer',
    default: 'auto',
    auto: true,
    minimum: 50,
    maximum: 10_000,
    description:
      'Target length of the summary of the discussion, in tokens. `auto` means 1.5 % of the window, from 400 to 6,000.',
  },
  focus: summaryOptions.focus,
  model: summaryOptions.model,
  ...memoryOption,
} as const;

export const anchoredSummary = defineStrategy({
  id: 'anchored-summary',
  description:
    'Copies the facts (files, commands, errors, decisions, your rules and requests) and has a model summarise only the discussion. Copied facts survive any number of compactions; loses the wording of the discussion and the text of old tool output until the agent recalls it.',
  needsModel: true,
  options: anchoredOptions,
  async plan(input, ports, signal) {
    const { view, options } = input;
    const aim = (input.target ?? Math.floor(input.tokens / 2)) - input.toolTokens;
    const working = new WorkingView(input, ports.meter);
    const sources = anchoredSources(view, stayingBesideSummary(input), aim, await working.sizes());
    if (!hasNews(sources)) {
      return unchanged(strategySentences.say('olderIsSummarised'));
    }
    const { summariseAnchored } = await import('../summary/rolling-summary.ts');
    const { report, warnings, ...summary } = await summariseAnchored(
      {
        ...summaryTask(input, ports, sources),
        discussionTokens: discussionRoom(options.discussionTokens, input.budget.window),
        ledgerTokens: ledgerRoom(input.budget.window),
      },
      ports.meter,
      signal,
    );
    await working.summarise(
      sources.map(({ id }) => id),
      summary,
      strategySentences.say('beforeNewestFactsCopied'),
    );
    return planned(working.plan({ summary: report, warnings }));
  },
});
