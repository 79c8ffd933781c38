import { type CachePrice, defaultCachePrice } from '../compaction/budget/budget.ts';
import type { Message, ToolSchema } from '../compaction/messages/message.ts';
import type { SummaryModel, SummaryReply, SummaryRequest } from '../compaction/summary/summary-model.ts';
import type { UsageMeter } from '../compaction/tokens/usage.ts';

/** Prices of providers for their prompt caches, relative to uncached input. */
export const cachePrices = {
  /** Five-minute cache: a write costs a quarter more than plain input. */
  anthropic: defaultCachePrice,
  /** No fee for writing: what is written is paid as plain input. */
  openai: { read: 0.1, write: 1 },
  /** No cache, or one that always expires. */
  none: { read: 1, write: 1 },
} as const satisfies Readonly<Record<string, CachePrice>>;

/**
 * Price of a token of output, relative to uncached input: what Anthropic asks for all its models. Others ask between
 * four and eight times the price of input.
 */
const outputPrice = 5;

export type CacheName = keyof typeof cachePrices;

export const cacheNames = Object.keys(cachePrices) as CacheName[];

/** Totals of requests, in tokens. */
export interface Bill {
  /** Everything that was sent, requests for summaries included. */
  readonly inputTokens: number;
  /** The same and what summaries wrote, in tokens of uncached input that cost as much. */
  readonly billedTokens: number;
}

/** Adds up what requests cost if a provider caches prompts. */
interface CacheAccount {
  /**
   * Bills the agent's next request: its longest common prefix with the one before is read from the cache, the rest is
   * written. Tool schemas come first in every request. Nothing expires.
   *
   * @returns tokens of the request
   */
  request(messages: readonly Message[]): Promise<number>;
  /** Bills a request in addition to the agent's that begins like it: what is not in the cache costs as plain input. */
  aside(messages: readonly Message[], extraTokens: number): Promise<void>;
  /** Bills tokens that no cache knows and none will keep, as plain input. */
  plain(tokens: number): void;
  /** Bills what a model wrote. */
  output(tokens: number): void;
  bill(): Bill;
}

/** @param tools schemas that go with every request */
export async function openAccount(
  meter: UsageMeter,
  tools: readonly ToolSchema[],
  price: CachePrice,
): Promise<CacheAccount> {
  const { total: toolTokens } = await meter.measureTools(tools);
  let cached: readonly Message[] | undefined;
  let inputTokens = 0;
  let billedTokens = 0;

  const measure = async (messages: readonly Message[]) => {
    const usages = await meter.measureEach(messages);
    const total = usages.reduce((tokens, usage) => tokens + usage.total, toolTokens);
    const shared = cached === undefined ? 0 : commonPrefix(cached, messages);
    const read =
      cached === undefined
        ? 0
        : usages.slice(0, shared).reduce((tokens, usage) => tokens + usage.total, toolTokens);
    return { total, read };
  };

  return {
    request: async (messages) => {
      const { total, read } = await measure(messages);
      inputTokens += total;
      billedTokens += read * price.read + (total - read) * price.write;
      cached = messages;
      return total;
    },
    aside: async (messages, extraTokens) => {
      const { total, read } = await measure(messages);
      inputTokens += total + extraTokens;
      billedTokens += read * price.read + (total - read) + extraTokens;
    },
    plain: (tokens) => {
      inputTokens += tokens;
      billedTokens += tokens;
    },
    output: (tokens) => {
      billedTokens += tokens * outputPrice;
    },
    bill: () => ({ inputTokens, billedTokens }),
  };
}

function commonPrefix(one: readonly Message[], other: readonly Message[]): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length++;
  return length;
}

/**
 * A model for summaries whose requests are billed, failed ones included. The prompt is plain input, the reply is
 * output. A request that continues the agent's own finds that one's prefix in the cache. A summariser that reads
 * messages instead of a prompt is billed for these messages, as a model that reads prompts would have been.
 *
 * @param isChatModel true if it is used as the model of the chat, whose requests a summary continues if it can
 */
export function billedModel(
  model: SummaryModel,
  account: CacheAccount,
  meter: UsageMeter,
  isChatModel: boolean,
): SummaryModel {
  const promptTokens = async ({ instructions, prompt, sources }: SummaryRequest): Promise<number> => {
    const [instruction = 0, task = 0] = await meter.countTexts([instructions, prompt]);
    return prompt === '' ? instruction + (await meter.measure(sources)).total : instruction + task;
  };
  const billRequest = async (request: SummaryRequest): Promise<void> => {
    const { continues } = request;
    if (continues === undefined) account.plain(await promptTokens(request));
    else await account.aside(continues.view, await meter.countText(request.prompt));
  };
  const billReply = async ({ content, usage }: SummaryReply): Promise<void> => {
    account.output(usage?.outputTokens ?? (await meter.countText(content)));
  };
  const native = model.compactNatively?.bind(model);
  return {
    id: model.id,
    window: model.window,
    ...(model.readsSources === undefined ? {} : { readsSources: model.readsSources }),
    continuesRequests: isChatModel,
    summarise: async (request, signal) => {
      await billRequest(request);
      const reply = await model.summarise(request, signal);
      await billReply(reply);
      return reply;
    },
    ...(native === undefined
      ? {}
      : {
          compactNatively: async (messages, signal) => {
            account.plain((await meter.measure(messages)).total);
            return native(messages, signal);
          },
        }),
  };
}
