import type { CachePrice } from '../compaction/budget/cost.ts';
import type { Message, ToolSchema } from '../compaction/message.ts';
import type { UsageMeter } from '../compaction/tokens/usage.ts';
import { outputPrice } from './cache-price.ts';

/** What requests came to, in tokens. */
export interface Bill {
  /** Everything that was sent, requests for summaries included. */
  readonly inputTokens: number;
  /** The same and what summaries wrote, in tokens of uncached input that cost as much. */
  readonly billedTokens: number;
}

/** Adds up what requests cost where a provider caches prompts. */
export interface CacheAccount {
  /**
   * Bills the agent's next request: its longest common prefix with the one before is read from the cache, the rest is
   * written. Tool schemas come first in every request. Nothing expires.
   *
   * @returns tokens of the request
   */
  request(messages: readonly Message[]): Promise<number>;
  /** Bills a request beside the agent's that begins like it: what is not in the cache is paid as plain input. */
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
