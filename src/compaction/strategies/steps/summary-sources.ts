import { framingTokens, sizeIn, type Sizes, type UsageMeter } from '../../tokens/usage.ts';
import { blocksOf, interruptedResultText, requestTest } from '../../messages/exchange.ts';
import { isSystem, type Message } from '../../messages/message.ts';
import { removableMessages } from '../../messages/protection.ts';
import { focusOf } from '../../summary/summarise.ts';
import { continuationOf } from '../../summary/summary-form.ts';
import type { StrategyInput, StrategyPorts } from '../contract/strategy.ts';
import { tailByTalk, tailByTokens } from './tail.ts';

export const memoryOption = {
  preserveMemory: {
    type: 'boolean',
    default: true,
    description:
      'Memory (guidance files, the plan) stays word for word. When off, a summary may replace memory as well.',
  },
} as const;

type Input = Pick<
  StrategyInput<{ readonly preserveMemory: boolean }>,
  'protectedIds' | 'memoryIds' | 'options'
>;

/** Finds the messages that stay next to a summary. Memory stays only if the option says so. */
export function stayingBesideSummary({ protectedIds, memoryIds, options }: Input): ReadonlySet<string> {
  if (options.preserveMemory) return protectedIds;
  return new Set([...protectedIds].filter((id) => !memoryIds.has(id)));
}

type SummaryInput = StrategyInput<{
  readonly focus: string;
  readonly model: string;
  readonly preserveMemory: boolean;
}>;

/** Returns the task to summarise a part. It cannot continue the chat's own request, which does not show the part. */
export function partTask(input: SummaryInput, ports: Pick<StrategyPorts, 'model'>) {
  const { options, memoryIds, tagSuffix, history } = input;
  return {
    model: ports.model(options.model === '' ? undefined : options.model),
    focus: focusOf(input),
    tagSuffix,
    history,
    ...(!options.preserveMemory && { takesMemory: memoryIds }),
  };
}

/** Returns the task to summarise messages of a view, next to all other messages of the view. */
export function summaryTask(
  input: SummaryInput,
  ports: Pick<StrategyPorts, 'model'>,
  sources: readonly Message[],
) {
  const leaving = new Set(sources);
  return {
    ...partTask(input, ports),
    sources,
    staying: input.view.filter((message) => !leaving.has(message)),
    continues: continuationOf(input),
  };
}

/** True for memory that the option allows a strategy to remove. */
export function isLooseMemory({ id }: Message, { memoryIds, options }: Input): boolean {
  return !options.preserveMemory && memoryIds.has(id);
}

const newestShare = 0.55;
/** The share if a conversation has no tool calls. Without work to continue, the last few messages suffice. */
const newestShareOfTalk = 0.25;
const newestOfTalk = 4;
/** Number of messages of user and model that stay if the user asks for a summary that the size does not require. */
const newestTalk = 2;
/** Room for a ledger, in tokens, and its share of a known window. Measured sessions needed up to 7,300. */
const smallestLedger = 1_500;
const largestLedger = 12_000;
const ledgerShare = 0.24;

/** Finds the messages that an anchored summary replaces: all before the newest, including requests and replies. */
export function anchoredSources(
  view: readonly Message[],
  protectedIds: ReadonlySet<string>,
  aim: number,
  sizes: Sizes,
): readonly Message[] {
  const staying = view.filter(({ id }) => protectedIds.has(id));
  const free = Math.max(0, aim - sizeIn(staying, sizes));
  const isOver = sizeIn(view, sizes) > aim;
  const isTalk = !view.some(({ role }) => role === 'tool');
  const newest = Math.floor(free * (isTalk ? newestShareOfTalk : newestShare));
  const start = isOver
    ? Math.max(tailByTokens(view, newest, sizes), isTalk ? tailByTalk(view, newestOfTalk) : 0)
    : tailByTalk(view, newestTalk);
  return removableMessages(view.slice(0, start), protectedIds);
}

/** Minimum and maximum tokens of a model's summary of a discussion, and its share of the window. */
const smallestDiscussion = 400;
const largestDiscussion = 6_000;
const discussionShare = 0.015;

export function discussionRoom(chosen: number | 'auto', window: number | undefined): number {
  if (chosen !== 'auto') return chosen;
  const share = Math.floor((window ?? 0) * discussionShare);
  return Math.min(largestDiscussion, Math.max(smallestDiscussion, share));
}

/** Returns the maximum tokens of a summary next to the messages that stay; undefined if no size has to be reached. */
export async function roomForSummary(
  { limit, toolTokens }: Pick<StrategyInput<unknown>, 'limit' | 'toolTokens'>,
  staying: readonly Message[],
  meter: UsageMeter,
): Promise<number | undefined> {
  if (limit === undefined) return undefined;
  const { total } = await meter.measure(staying);
  return Math.max(0, limit - toolTokens - total - framingTokens);
}

/** Returns the maximum tokens of a ledger. They grow with the window, up to a size that a model can use as notes. */
export function ledgerRoom(window: number | undefined): number {
  return Math.min(largestLedger, Math.max(smallestLedger, Math.floor((window ?? 0) * ledgerShare)));
}

/** Finds messages that a full rewrite keeps: protected messages, open calls, each part's first request. */
export function stayingIds(
  input: Pick<StrategyInput<unknown>, 'view' | 'protectedIds' | 'trigger' | 'target' | 'toolTokens'>,
  parts: readonly (readonly Message[])[],
  sizes: Sizes,
): ReadonlySet<string> {
  const { view, protectedIds, trigger, target, toolTokens } = input;
  const staying = new Set([...protectedIds, ...openCalls(view)]);
  const first = parts.flatMap((part) => part.find(requestTest(view))?.id ?? []);
  const wanted = new Set([...staying, ...first]);
  const tokens = [...wanted].reduce((total, id) => total + (sizes.get(id) ?? 0), toolTokens);
  const isTooMuch = trigger.requirement === 'hard' && target !== undefined && tokens >= target;
  return isTooMuch ? staying : wanted;
}

/** Splits a view before system messages. Messages before the first belong to the first part. */
export function systemBlocks(view: readonly Message[]): readonly (readonly Message[])[] {
  const starts = view.flatMap((message, index) => (isSystem(message) ? [index] : [])).slice(1);
  return [0, ...starts].map((start, index) => view.slice(start, starts[index]));
}

function openCalls(view: readonly Message[]): readonly string[] {
  const last = blocksOf(view).at(-1);
  if (last?.isExchange !== true) return [];
  const messages = view.slice(last.start, last.end);
  const isOpen = messages.some(({ content }) => content === interruptedResultText);
  return isOpen ? messages.map(({ id }) => id) : [];
}
