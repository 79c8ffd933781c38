import type { Phrase } from '../records/record.ts';
import { strategySentences } from '../../language/english/strategies-english.ts';
import { blocksOf } from '../messages/exchange.ts';
import { CompactionFailure } from '../records/reason.ts';
import { isSystem, type Message } from '../messages/message.ts';
import { removableMessages } from '../messages/protection.ts';
import { hasNews, summarise } from '../summary/summarise.ts';
import { summaryOptions } from './llm-summary.ts';
import { isLooseMemory, memoryOption, partTask, stayingBesideSummary } from './steps/summary-sources.ts';
import { tailInRoom, tailWhile } from './steps/tail.ts';
import { defineStrategy, planned, unchanged } from './contract/strategy.ts';
import { WorkingView } from './contract/working-view.ts';

export const lastNMessages = defineStrategy({
  id: 'last-n-messages',
  description:
    'Drops everything before the last messages, which stay word for word or become a summary. Keeps the newest part; loses the older part without a summary until the agent recalls it.',
  needsModel: true,
  withoutModel: { mode: 'keep' },
  options: {
    n: {
      type: 'integer',
      default: 20,
      minimum: 1,
      maximum: 100_000,
      description:
        'Number of messages that count as the last. The exchange that contains the first of them counts as a whole.',
    },
    mode: {
      type: 'choice',
      default: 'keep',
      choices: ['keep', 'summarise'],
      description:
        '`keep` leaves the last messages as they are and needs no model. `summarise` turns them into one summary.',
    },
    since: {
      type: 'string',
      default: '',
      description:
        'A time such as 2026-01-31T12:00:00Z: messages from then on count as the last, instead of a fixed number. If empty, the number applies.',
    },
    focus: summaryOptions.focus,
    model: summaryOptions.model,
    ...memoryOption,
  },
  async plan(input, ports, signal) {
    const { view, protectedIds, options, target, toolTokens, trigger } = input;
    const working = new WorkingView(input, ports.meter);
    const wanted =
      options.since === '' ? startOfLast(view, options.n) : startSince(view, timeOf(options.since));
    const isKeeping = options.mode === 'keep';
    const room = trigger.requirement === 'hard' && isKeeping ? target : undefined;
    const fitting =
      room === undefined ? 0 : tailInRoom(view, protectedIds, room - toolTokens, await working.sizes()).start;
    const start = Math.max(wanted, fitting);
    const older = removableMessages(view.slice(0, start), protectedIds);
    const beside = stayingBesideSummary(input);
    const memory = view.slice(0, start).filter((message) => isLooseMemory(message, input));
    const last = removableMessages(view.slice(start), beside);
    // An older summary is merged into the new one.
    const sources = isKeeping ? [] : [...inOrder(view, [...older.filter(isSummary), ...memory]), ...last];
    const dropped = isKeeping ? older : older.filter((message) => !isSummary(message));
    if (!hasNews(sources) && dropped.length === 0) {
      return unchanged(strategySentences.say('nothingBeforeLast'));
    }

    const summary = !hasNews(sources)
      ? undefined
      : await summarise({ ...partTask(input, ports), sources }, ports.meter, signal);
    const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);
    await working.drop(ids(dropped), strategySentences.say('beforeLastMessages'));
    if (summary !== undefined)
      await working.summarise(ids(sources), summary, strategySentences.say('lastMessages'));
    return planned(
      working.plan({
        ...(summary === undefined ? {} : { summary: summary.report }),
        warnings: [...(summary?.warnings ?? []), ...unseen(dropped)],
      }),
    );
  },
});

function inOrder(view: readonly Message[], messages: readonly Message[]): readonly Message[] {
  const wanted = new Set(messages);
  return view.filter((message) => wanted.has(message));
}

function isSummary(message: Message): boolean {
  return message.kind === 'summary';
}

/** Returns the index at which the last messages begin, never inside an exchange. System messages do not count. */
function startOfLast(view: readonly Message[], count: number): number {
  let left = count;
  return tailWhile(blocksOf(view), view, (messages) => {
    if (left <= 0) return false;
    left -= messages.filter((message) => !isSystem(message)).length;
    return true;
  });
}

function startSince(view: readonly Message[], since: number): number {
  const block = blocksOf(view).find(({ start, end }) =>
    view.slice(start, end).some((message) => !isSystem(message) && Date.parse(message.createdAt) >= since),
  );
  return block?.start ?? view.length;
}

/** @throws {CompactionFailure} if the time cannot be read */
function timeOf(since: string): number {
  const time = Date.parse(since);
  if (Number.isNaN(time)) {
    throw new CompactionFailure(
      'strategy-failed',
      strategySentences.say('sinceIsNoTime', { value: JSON.stringify(since) }),
    );
  }
  return time;
}

function unseen(dropped: readonly Message[]): readonly Phrase[] {
  const [first] = dropped;
  const last = dropped.at(-1);
  if (first === undefined || last === undefined) return [];
  return [
    first === last
      ? strategySentences.say('droppedOneUnseen', { id: first.id })
      : strategySentences.say('droppedUnseen', { count: dropped.length, first: first.id, last: last.id }),
  ];
}
