import type { ModelFacts } from '../compaction/budget/model-table.ts';
import type { ReportedUsage } from '../compaction/messages/message.ts';
import type { CompactionRecord, Cost } from '../compaction/records/record.ts';
import type { TimelineCall } from './session-timeline.ts';

/** The part of a request that determines its cost. */
type PaidCall = Pick<TimelineCall, 'messageId' | 'reported' | 'modelId'>;

/** Amounts in dollars. `total` is the sum of the other amounts. */
interface Money {
  /** Includes cache writes, at the price of writing. */
  readonly uncachedInput: number;
  readonly cachedInput: number;
  readonly output: number;
  readonly total: number;
}

/** Cost of a request. `money` is absent if its tokens or their price are unknown. */
interface Expense {
  /** Id of the reply, or of the compaction with the summary. */
  readonly id: string;
  readonly money?: Money;
}

export interface SessionMoney {
  readonly calls: readonly Expense[];
  readonly summaries: readonly Expense[];
  /** Total of all known costs. */
  readonly known: Money;
  /** Number of requests with unknown cost, including summaries. */
  readonly unknown: number;
  /** True if the cost may be higher, because writing to the cache has a fee and not every report includes it. */
  readonly mayBeMore: boolean;
  /** Share of the input read from the cache, 0 to 1, in calls whose provider reports it. */
  readonly cachedShare?: number;
}

const tokensPerPrice = 1_000_000;

/**
 * Adds up the cost of a session so far. Only reported usage is billed, at the price of the model that answered. Other
 * usage is not estimated.
 *
 * @param model for calls whose messages do not name one; undefined if unknown, as in an imported session
 * @param factsOf looks up a model by its name
 */
export function moneyOf(
  calls: readonly PaidCall[],
  records: readonly CompactionRecord[],
  model: string | undefined,
  factsOf: (model: string) => ModelFacts,
): SessionMoney {
  const factsOfCall = ({ modelId = model }: PaidCall) =>
    modelId === undefined ? undefined : factsOf(modelId);
  const spentOnCalls = calls.map((call) => expense(call.messageId, call.reported, factsOfCall(call)));
  const spentOnSummaries = records.flatMap(({ id, summary }) => {
    if (summary === undefined) return [];
    return [summary, ...(summary.beside ?? [])].map((report) => {
      const { promptTokens: inputTokens, outputTokens, isContinued = false } = report;
      // A record does not state how much of the chat's prefix was in the cache.
      return expense(id, isContinued ? undefined : { inputTokens, outputTokens }, factsOf(report.model));
    });
  });
  const all = [...spentOnCalls, ...spentOnSummaries];
  const priced = all.flatMap(({ money }) => money ?? []);
  const cachedShare = shareFromCache(calls);
  return {
    calls: spentOnCalls,
    summaries: spentOnSummaries,
    known: priced.reduce(add, nothing),
    unknown: all.length - priced.length,
    mayBeMore: calls.some(
      (call, index) =>
        spentOnCalls[index]?.money !== undefined &&
        call.reported?.cacheWriteTokens === undefined &&
        (factsOfCall(call)?.cache?.write ?? 1) > 1,
    ),
    ...(cachedShare === undefined ? {} : { cachedShare }),
  };
}

/**
 * Returns the cost of a compaction now and its saving per later call, in dollars; undefined if the price of the model
 * or of its cache is unknown.
 */
export function moneyOfCost(
  { cacheMissTokens, savedPerCall }: Cost,
  { price, cache }: ModelFacts,
): { readonly now: number; readonly savedPerCall: number } | undefined {
  if (price === undefined || cache === undefined) return undefined;
  return {
    // Without the compaction, these tokens would have been read from the cache.
    now: (cacheMissTokens * (cache.write - cache.read) * price.input) / tokensPerPrice,
    savedPerCall: (savedPerCall * cache.read * price.input) / tokensPerPrice,
  };
}

/** Returns the dollars for writing tokens to the cache, and for reading them instead; undefined if unknown. */
export function moneyOfRewriting(
  tokens: number,
  { price, cache }: ModelFacts,
): { readonly written: number; readonly read?: number } | undefined {
  if (price === undefined) return undefined;
  const readPrice = price.cachedInput ?? (cache === undefined ? undefined : price.input * cache.read);
  return {
    written: (tokens * price.input * (cache?.write ?? 1)) / tokensPerPrice,
    ...(readPrice === undefined ? {} : { read: (tokens * readPrice) / tokensPerPrice }),
  };
}

const nothing: Money = { uncachedInput: 0, cachedInput: 0, output: 0, total: 0 };

function expense(id: string, usage: ReportedUsage | undefined, facts: ModelFacts | undefined): Expense {
  const money = usage === undefined || facts === undefined ? undefined : bill(usage, facts);
  return { id, ...(money === undefined ? {} : { money }) };
}

function bill(usage: ReportedUsage, { price, cache }: ModelFacts): Money | undefined {
  if (price === undefined) return undefined;
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
  const cachedPrice = price.cachedInput ?? (cache === undefined ? undefined : price.input * cache.read);
  if (cached > 0 && cachedPrice === undefined) return undefined;
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - cached);
  const fee = written * ((cache?.write ?? 1) - 1);
  const uncachedInput = ((usage.inputTokens - cached + fee) * price.input) / tokensPerPrice;
  const cachedInput = (cached * (cachedPrice ?? 0)) / tokensPerPrice;
  const output = (usage.outputTokens * price.output) / tokensPerPrice;
  return { uncachedInput, cachedInput, output, total: uncachedInput + cachedInput + output };
}

function add(one: Money, other: Money): Money {
  return {
    uncachedInput: one.uncachedInput + other.uncachedInput,
    cachedInput: one.cachedInput + other.cachedInput,
    output: one.output + other.output,
    total: one.total + other.total,
  };
}

/** Returns the share of the reported input that came from the cache; undefined if no call reports it. */
export function shareFromCache(calls: readonly Pick<TimelineCall, 'reported'>[]): number | undefined {
  let input = 0;
  let cached = 0;
  for (const { reported } of calls) {
    if (reported?.cachedInputTokens === undefined) continue;
    input += reported.inputTokens;
    cached += reported.cachedInputTokens;
  }
  return input === 0 ? undefined : cached / input;
}

/** Total reported usage of a session, with our count for comparison. All sizes are in tokens. */
export interface ReportedSession {
  /** Models that answered, in the order of their first reply. */
  readonly models: readonly string[];
  /** Number of requests with a report, and of all requests. */
  readonly requests: number;
  readonly allRequests: number;
  /** Total of all reported requests. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Cached part of the input, as far as providers report it. */
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly last: ReportedRequest;
}

/** Our count and the reported count of a request. */
interface ReportedRequest {
  /** Id of the reply. */
  readonly messageId: string;
  /** Our count of the request's tokens. */
  readonly countedTokens: number;
  readonly inputTokens: number;
  /**
   * Tokens reported but not counted: mostly the system prompt and tool schemas, which are not in the file. Negative
   * if our count is larger.
   */
  readonly notInFileTokens: number;
}

/** Sums up the reports of a session; undefined without any report. */
export function reportedOf(calls: readonly TimelineCall[]): ReportedSession | undefined {
  const reports = calls.flatMap(({ reported }) => reported ?? []);
  const last = calls.findLast(({ reported }) => reported !== undefined);
  if (last?.reported === undefined) return undefined;
  const { messageId, tokens: countedTokens } = last;
  const { inputTokens } = last.reported;
  const cachedInputTokens = added(reports.map((report) => report.cachedInputTokens));
  const cacheWriteTokens = added(reports.map((report) => report.cacheWriteTokens));
  return {
    models: modelsOf(calls),
    requests: reports.length,
    allRequests: calls.length,
    inputTokens: added(reports.map((report) => report.inputTokens)) ?? 0,
    outputTokens: added(reports.map((report) => report.outputTokens)) ?? 0,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    last: { messageId, countedTokens, inputTokens, notInFileTokens: inputTokens - countedTokens },
  };
}

/** Returns the models that answered, in the order of their first reply. */
function modelsOf(calls: readonly Pick<TimelineCall, 'modelId'>[]): readonly string[] {
  return [...new Set(calls.flatMap(({ modelId }) => modelId ?? []))];
}

/** @returns undefined if no number is known */
function added(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, number) => total + number, 0);
}
