import { strategySentences } from '../../language/english/strategies-english.ts';
import { blocksOf } from '../messages/exchange.ts';
import type { Message } from '../messages/message.ts';
import { hasNews, summariseEach } from '../summary/summarise.ts';
import type { Sizes } from '../tokens/usage.ts';
import { summaryOptions } from './llm-summary.ts';
import { memoryOption, partTask, stayingBesideSummary, stayingIds } from './steps/summary-sources.ts';
import { tailByMessages, tailByTurns, tailInRoom } from './steps/tail.ts';
import { defineStrategy, planned, unchanged, type StrategyInput } from './contract/strategy.ts';
import { WorkingView } from './contract/working-view.ts';

/** Share of a hard target that the newest messages may take. */
const newestShare = 0.3;

export const chunked = defineStrategy({
  id: 'chunked',
  description:
    'Divides the conversation into chunks of N messages and has a model summarise each one, so every part keeps its own notes, in order. Keeps the first request, the newest turn (only the newest chunk of a long one) and earlier summaries; loses the wording of the rest until the agent recalls it. One model call per chunk.',
  needsModel: true,
  options: {
    size: {
      type: 'integer',
      default: 20,
      minimum: 1,
      maximum: 10_000,
      description: 'Messages in a chunk. A call and its results always share one.',
    },
    focus: summaryOptions.focus,
    model: summaryOptions.model,
    ...memoryOption,
  },
  async plan(input, ports, signal) {
    const { view, options } = input;
    const sizes = await new WorkingView(input, ports.meter).sizes();
    const older = view.slice(0, startOfTail(input, options.size, sizes));
    const chunks = chunksOf(
      older,
      stayingIds({ ...input, protectedIds: stayingBesideSummary(input) }, [view], sizes),
      options.size,
    );
    if (chunks.length === 0) return unchanged(strategySentences.say('olderIsSummarised'));

    const { actions, report, warnings } = await summariseEach(
      chunks.map((chunk) => ({ sources: chunk, leaving: chunk, reason: strategySentences.say('chunk') })),
      partTask(input, ports),
      ports.meter,
      signal,
    );
    return planned({ actions, ...(report === undefined ? {} : { summary: report }), warnings });
  },
});

/** Finds where the messages that stay begin: the newest turn, limited to a chunk and the room of a hard target. */
function startOfTail(
  input: Pick<StrategyInput<unknown>, 'view' | 'protectedIds' | 'trigger' | 'target' | 'toolTokens'>,
  size: number,
  sizes: Sizes,
): number {
  const { view, protectedIds, trigger, target, toolTokens } = input;
  const start = Math.max(tailByTurns(view, 1), tailByMessages(view, size));
  if (trigger.requirement !== 'hard' || target === undefined) return start;
  const room = Math.floor((target - toolTokens) * newestShare);
  return Math.max(start, tailInRoom(view, protectedIds, room, sizes).start);
}

/** Splits messages into chunks of limited size. A larger exchange is a separate chunk. */
function chunksOf(
  messages: readonly Message[],
  staying: ReadonlySet<string>,
  size: number,
): readonly (readonly Message[])[] {
  const chunks: Message[][] = [];
  let chunk: Message[] = [];
  const close = () => {
    if (hasNews(chunk)) chunks.push(chunk);
    chunk = [];
  };
  for (const { start, end } of blocksOf(messages)) {
    const block = messages.slice(start, end);
    // Messages before a summary get a separate chunk, so that summaries stay in order.
    if (block[0]?.kind === 'summary') close();
    else if (!block.some(({ id }) => staying.has(id))) {
      if (chunk.length + block.length > size) close();
      chunk.push(...block);
    }
  }
  close();
  return chunks;
}
