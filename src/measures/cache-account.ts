import { type CachePrice, defaultCachePrice } from '../compaction/budget/budget.ts';
import type { Message, ToolSchema } from '../compaction/messages/message.ts';
import {
  type SummaryModel,
  type SummaryReply,
  type SummaryRequest,
  wrappedModel,
} from '../compaction/summary/summary-model.ts';
import type { UsageMeter } from '../compaction/tokens/usage.ts';

/** Prices of providers for their prompt caches, relative to uncached input. */
export const cachePrices = {
  /** Five-minute cache: writing costs a quarter more than plain input. */
  anthropic: defaultCachePrice,
  /** No fee for writing, which costs the same as plain input. */
  openai: { read: 0.1, write: 1 },
  /** No cache, or a cache that always expires. */
  none: { read: 1, write: 1 },
} as const satisfies Readonly<Record<string, CachePrice>>;

/** Price of an output token, relative to uncached input (Anthropic's; others charge four to eight). */
const outputPrice = 5;

export type CacheName = keyof typeof cachePrices;

export const cacheNames = Object.keys(cachePrices) as CacheName[];

export interface Bill {
  readonly inputTokens: number;
  /** Cost of all input and of written summaries, expressed in tokens of uncached input. */
  readonly billedTokens: number;
}

/** Adds up the cost of requests if a provider caches prompts. */
interface CacheAccount {
  /**
   * Bills the agent's next request: the common prefix as read from the cache, the rest as written. @returns its tokens
   */
  request(messages: readonly Message[]): Promise<number>;
  /**
   * Bills another request that begins like the agent's request. Tokens outside the cache cost as much as plain input.
   */
  aside(messages: readonly Message[], extraTokens: number): Promise<void>;
  /** Bills tokens that are neither in a cache nor written to one, as plain input. */
  plain(tokens: number): void;
  output(tokens: number): void;
  bill(): Bill;
}

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

/** Bills a model's requests for summaries, even if they fail. The chat's model may find its prefix in the cache. */
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
  const billed = wrappedModel(
    model,
    async (request, signal) => {
      await billRequest(request);
      const reply = await model.summarise(request, signal);
      await billReply(reply);
      return reply;
    },
    (native) => async (messages, signal) => {
      account.plain((await meter.measure(messages)).total);
      return native(messages, signal);
    },
  );
  return { ...billed, continuesRequests: isChatModel };
}
