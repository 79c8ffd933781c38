import { type Budget, defaultCachePrice } from '../../compaction/budget/budget.ts';
import { isSystem, isPrompt, type Message } from '../../compaction/messages/message.ts';
import type { Usage } from '../../compaction/tokens/usage.ts';
import { countSentences, type HealthItem, type HealthState } from './health-item.ts';
import { insightsSentences } from '../../language/english/insights-english.ts';
import { shareFromCache } from '../session-cost.ts';
import type { Timeline, TimelineCall, TimelineEvent } from '../session-timeline.ts';

/** Shares of the input that the guide expects from the cache, for a fully static beginning and for a static prefix. */
const fullyStatic = 0.9;
const staticPrefix = 0.6;
/** Share of the input from the cache below which the guide calls a session unoptimised. */
const unoptimised = 0.3;
/** Share of the input price that remains if requests start with static content. */
const expectedBill = 0.5;
/** Minimum number of calls for a finding, because the first requests mostly write to the cache. */
const fewestCalls = 5;

/** Checks that each request starts like the previous request, and names the events that changed the start. */
export function checkPrefix({ calls, events }: Timeline): HealthItem {
  const pairs = calls.length - 1;
  if (pairs < 1) return { id: 'prefix', state: 'unknown', finding: insightsSentences.say('prefixUnknown') };
  const broken = calls.flatMap((call, index) => {
    const before = calls[index - 1];
    return before !== undefined && call.keptTokens < before.tokens ? [index] : [];
  });
  const lost = (index: number) => calls[index - 1]!.tokens - calls[index]!.keptTokens;
  const keptShare = keptShareOf(calls);
  if (broken.length === 0) {
    return { id: 'prefix', state: 'good', finding: insightsSentences.say('prefixKept', { pairs }) };
  }
  const isBroken = new Set(broken);
  const causes = events.filter((event) => isBroken.has(event.atCall) && changesView(event));
  const countOf = (type: TimelineEvent['type']) => causes.filter((event) => event.type === type).length;
  const explained = new Set(causes.map(({ atCall }) => atCall));
  const state = stateOf(keptShare, fullyStatic, staticPrefix);
  return {
    id: 'prefix',
    state,
    finding: insightsSentences.say('prefixBroken', {
      pairs,
      whole: pairs - broken.length,
      broken: broken.length,
      causes: countSentences({
        causeCompactions: countOf('compaction'),
        causeUndos: countOf('undo'),
        causeRestores: countOf('restore'),
        causeOthers: broken.length - explained.size,
      }),
    }),
    ...(state === 'good'
      ? {}
      : { advice: insightsSentences.say('prefixAdvice'), setting: 'contextBudget.targetRatio' }),
    messageIds: broken
      .toSorted((one, other) => lost(other) - lost(one))
      .map((index) => calls[index]!.messageId),
    recordIds: causes.flatMap((event) => (event.type === 'compaction' ? [event.recordId] : [])),
  };
}

function changesView(event: TimelineEvent): boolean {
  return event.type === 'compaction' ? event.status === 'applied' : event.type !== 'overflow';
}

/**
 * Checks that static content comes before content that changes.
 *
 * @param notInFile tokens of each request that are not in the session file. Agents send them first
 */
export function checkStaticFirst(
  view: readonly Message[],
  usages: readonly Usage[],
  notInFile = 0,
): HealthItem {
  const isStatic = (message: Message) => isSystem(message) || message.kind === 'memory';
  const firstOther = view.findIndex((message) => !isStatic(message));
  const end = firstOther < 0 ? view.length : firstOther;
  const late = view.flatMap((message, index) => (index > end && isStatic(message) ? [index] : []));
  const tokensOf = (some: readonly Usage[]) => some.reduce((tokens, { total }) => tokens + total, 0);
  const lateTokens = tokensOf(late.flatMap((index) => usages[index] ?? []));
  return {
    id: 'staticFirst',
    // Late static content is appended where it occurs, so it does not break the cache.
    state: 'good',
    finding:
      late.length === 0
        ? insightsSentences.say('staticFirst', { tokens: notInFile + tokensOf(usages.slice(0, end)) })
        : insightsSentences.say('staticLate', { late: late.length, tokens: lateTokens }),
    messageIds: late.map((index) => view[index]!.id),
  };
}

/** Checks the share of the input that the provider read from its cache. */
export function checkCache({ calls }: Timeline): HealthItem {
  const telling = calls.filter(({ reported }) => reported?.cachedInputTokens !== undefined);
  const cachedShare = shareFromCache(telling);
  if (cachedShare === undefined || telling.length < 2) {
    return { id: 'cache', state: 'unknown', finding: insightsSentences.say('cacheUnknown') };
  }
  const input = telling.reduce((total, { reported }) => total + (reported?.inputTokens ?? 0), 0);
  const state = stateOf(cachedShare, staticPrefix, unoptimised);
  return {
    id: 'cache',
    state,
    finding: insightsSentences.say('cacheShare', { cachedShare, input }),
    ...(state === 'good'
      ? {}
      : { advice: insightsSentences.say('cacheAdvice', { keptShare: keptShareOf(calls) }) }),
  };
}

/** Checks the cost of a task so far: the tokens of all requests, divided by the number of typed messages. */
export function checkTask(
  { calls }: Timeline,
  messages: readonly Message[],
  { cachePrice = defaultCachePrice }: Budget,
): HealthItem {
  if (calls.length === 0) return { id: 'task', state: 'unknown', finding: insightsSentences.say('taskNone') };
  const tasks = Math.max(1, messages.filter(isPrompt).length);
  const isReported = calls.every(({ reported }) => reported?.cachedInputTokens !== undefined);
  let input = 0;
  let billed = 0;
  for (const { tokens, keptTokens, reported } of calls) {
    const sent = isReported ? (reported?.inputTokens ?? 0) : tokens;
    const read = isReported ? Math.min(sent, reported?.cachedInputTokens ?? 0) : keptTokens;
    input += sent;
    billed += read * cachePrice.read + (sent - read) * cachePrice.write;
  }
  const values = {
    tasks,
    perTask: rounded(input / tasks),
    billedPerTask: rounded(billed / tasks),
  };
  const isCheap = calls.length < fewestCalls || billed <= input * expectedBill;
  const state: HealthState = isCheap ? 'good' : 'warning';
  return {
    id: 'task',
    state,
    finding: insightsSentences.say(isReported ? 'taskReported' : 'taskCounted', values),
    ...(state === 'good' ? {} : { advice: insightsSentences.say('taskAdvice') }),
  };
}

/** A number with at most three digits other than zero, because an average suggests more precision than it has. */
function rounded(number: number): number {
  return Number(number.toPrecision(3));
}

/** Returns the average share of a request, 0 to 1, that the next request repeats at its beginning. */
function keptShareOf(calls: readonly TimelineCall[]): number {
  let before = 0;
  let kept = 0;
  for (const [index, call] of calls.entries()) {
    kept += call.keptTokens;
    before += calls[index - 1]?.tokens ?? 0;
  }
  return before === 0 ? 1 : kept / before;
}

function stateOf(share: number, good: number, warning: number): HealthState {
  if (share >= good) return 'good';
  return share >= warning ? 'warning' : 'bad';
}
