import { strategySentences } from '../../language/english/strategies-english.ts';
import { removableMessages } from '../messages/protection.ts';
import { hasNews, summariseEach, type SummaryGroup } from '../summary/summarise.ts';
import { continuationOf } from '../summary/summary-form.ts';
import { summaryOptions } from './llm-summary.ts';
import {
  ledgerRoom,
  memoryOption,
  partTask,
  stayingBesideSummary,
  stayingIds,
  systemBlocks,
} from './steps/summary-sources.ts';
import { defineStrategy, planned, unchanged } from './contract/strategy.ts';
import { WorkingView } from './contract/working-view.ts';

export const wholeHistory = defineStrategy({
  id: 'whole-history',
  description:
    'A model turns the whole conversation, including the newest steps, into one summary. Keeps system messages, memory, the first and the newest request, and calls without a result yet; loses everything else until the agent recalls it.',
  needsModel: true,
  options: {
    ...memoryOption,
    perSystemBlock: {
      type: 'boolean',
      default: false,
      description:
        'Writes one summary for each part of the conversation that starts with a system message, and keeps the first request of that part.',
    },
    focus: summaryOptions.focus,
    model: summaryOptions.model,
  },
  async plan(input, ports, signal) {
    const { view, options } = input;
    const parts = options.perSystemBlock ? systemBlocks(view) : [view];
    const sizes = await new WorkingView(input, ports.meter).sizes();
    const staying = stayingIds({ ...input, protectedIds: stayingBesideSummary(input) }, parts, sizes);
    const groups = parts.flatMap((part): readonly SummaryGroup[] => {
      const leaving = removableMessages(part, staying);
      if (!hasNews(leaving)) return [];
      const reason = options.perSystemBlock
        ? strategySentences.say('systemPart')
        : strategySentences.say('wholeConversation');
      return [{ sources: leaving, leaving, reason }];
    });
    if (groups.length === 0) return unchanged(strategySentences.say('allIsSummarised'));

    const { actions, report, warnings } = await summariseEach(
      groups,
      {
        ...partTask(input, ports),
        ledgerTokens: ledgerRoom(input.budget.window),
        staying: options.perSystemBlock ? undefined : view.filter(({ id }) => staying.has(id)),
        continues: options.perSystemBlock ? undefined : continuationOf(input),
      },
      ports.meter,
      signal,
    );
    return planned({ actions, ...(report === undefined ? {} : { summary: report }), warnings });
  },
});
