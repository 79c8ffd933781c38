import type { Phrase } from '../records/record.ts';
import { strategySentences } from '../../language/english/strategies-english.ts';
import { removableMessages } from '../messages/protection.ts';
import { hasNews, summarise } from '../summary/summarise.ts';
import {
  ledgerRoom,
  memoryOption,
  roomForSummary,
  stayingBesideSummary,
  summaryTask,
} from './steps/summary-sources.ts';
import { tailByTalk } from './steps/tail.ts';
import { defineStrategy, planned, unchanged } from './contract/strategy.ts';

export const summaryOptions = {
  preserveMessages: {
    type: 'integer',
    default: 2,
    minimum: 0,
    maximum: 1000,
    keepsNewest: true,
    description: 'Number of the newest messages from you and the model that stay, with their tool results.',
  },
  focus: {
    type: 'string',
    default: '',
    description: 'What every summary should pay particular attention to.',
  },
  model: {
    type: 'string',
    default: '',
    description:
      'Model that writes the summary. Empty: the one that settings name for compaction, or the model of the chat.',
  },
  ...memoryOption,
} as const;

export const llmSummary = defineStrategy({
  id: 'llm-summary',
  description:
    'One model call turns everything before the newest messages into one summary. Frees the most; keeps what the model found worth writing down, and loses the rest until the agent recalls it.',
  needsModel: true,
  options: summaryOptions,
  async plan(input, ports, signal) {
    const { view, options } = input;
    const tailStart = tailByTalk(view, options.preserveMessages);
    const sources = removableMessages(view.slice(0, tailStart), stayingBesideSummary(input));
    if (!hasNews(sources)) {
      return unchanged(strategySentences.say('olderIsSummarised'));
    }
    const task = summaryTask(input, ports, sources);
    const { text, carried, report, warnings } = await summarise(
      {
        ...task,
        room: await roomForSummary(input, task.staying, ports.meter),
        ledgerTokens: ledgerRoom(input.budget.window),
      },
      ports.meter,
      signal,
    );
    return planned({
      actions: [
        {
          kind: 'summarise',
          ids: sources.map((message) => message.id),
          text,
          carried,
          reason: reasonFor(options.preserveMessages),
        },
      ],
      summary: report,
      warnings,
    });
  },
});

function reasonFor(preserved: number): Phrase {
  if (preserved === 0) return strategySentences.say('wholeConversation');
  return strategySentences.say('beforeNewest', { count: preserved });
}
