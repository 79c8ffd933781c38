import type { BudgetSettings, CachePrice } from '../compaction/budget/budget.ts';
import type { CancellationSignal } from '../compaction/signals/cancellation.ts';
import type { CompactionPorts } from '../compaction/service/compact.ts';
import { repairPairs } from '../compaction/messages/exchange.ts';
import type { Message, ToolSchema } from '../compaction/messages/message.ts';
import { none } from '../compaction/strategies/none.ts';
import { CompactionService } from '../compaction/service/service.ts';
import type { CompactionHost } from '../compaction/service/service-ports.ts';
import { resolveOptions } from '../compaction/strategies/contract/options.ts';
import type { Strategy } from '../compaction/strategies/contract/strategy.ts';
import { append, emptyTranscript, recordsOf } from '../compaction/transcript/transcript.ts';
import { findViolations } from '../compaction/messages/validity.ts';
import { type Bill, billedModel, openAccount } from './cache-account.ts';

interface ReplayedTranscript {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
}

interface ReplayRun extends ReplayedTranscript {
  readonly strategy: Strategy;
  readonly budget: BudgetSettings;
  readonly price: CachePrice;
}

/** Requests that an agent would have sent. All sizes in tokens. */
export interface Replay extends Bill {
  readonly calls: number;
  readonly compactions: number;
  readonly peakTokens: number;
  /** Requests that left less room in the window than is reserved for the reply. */
  readonly overflows: number;
  /** Requests with a shape that a strict endpoint would refuse. */
  readonly invalidRequests: number;
  readonly tokensPerCall: number;
  /** Billed input relative to an unlimited window without compactions. */
  readonly relativeCost: number;
  readonly compactionMs: number;
}

/**
 * Replays a transcript call by call through the compaction service. Every message of a model is one call; its request
 * contains everything before the message. Messages are taken from the transcript, because an agent's reaction to a
 * smaller context is unknown.
 *
 * The strategy runs with its default options, in automatic mode, before a call. Requests for summaries count as well:
 * their prompts are in `inputTokens`, and prompts and replies in `billedTokens`, each at its price.
 */
export async function replay(
  run: ReplayRun,
  ports: CompactionPorts,
  signal: CancellationSignal,
): Promise<Replay> {
  const { meter } = ports;
  const account = await openAccount(meter, run.tools, run.price);
  let transcript = emptyTranscript;
  const host: CompactionHost = {
    get transcript() {
      return transcript;
    },
    tools: run.tools,
    append: (entry) => {
      transcript = append(transcript, entry);
      return Promise.resolve();
    },
  };
  const settings = {
    strategy: run.strategy,
    options: resolveOptions(run.strategy.options, {}).options,
    budget: { ...run.budget, cachePrice: run.price },
    mode: 'auto',
    protectFirst: false,
  } as const;
  const billedPorts: CompactionPorts = {
    ...ports,
    model: (name) => {
      const model = ports.model(name);
      return model === undefined ? undefined : billedModel(model, account, meter, name === undefined);
    },
  };
  const service = new CompactionService(host, billedPorts, () => settings);
  const { window = Number.POSITIVE_INFINITY, reservedOutput } = service.budget;

  let calls = 0;
  let peakTokens = 0;
  let overflows = 0;
  let invalidRequests = 0;
  for (const message of run.messages) {
    if (message.role === 'assistant') {
      // Without a strategy the history only grows, even when a session would have to recover.
      if (run.strategy.id !== none.id) await service.check(signal);
      const tokens = await account.request(transcript.view);
      calls++;
      peakTokens = Math.max(peakTokens, tokens);
      if (tokens > window - reservedOutput) overflows++;
      if (findViolations(transcript.view).length > 0) invalidRequests++;
    }
    await host.append({ type: 'message', message });
  }

  const bill = account.bill();
  const baseline = await billAppendOnly(run, ports, run.price);
  const records = recordsOf(transcript);
  return {
    calls,
    compactions: records.filter(({ status }) => status === 'applied').length,
    peakTokens,
    overflows,
    invalidRequests,
    inputTokens: bill.inputTokens,
    billedTokens: Math.round(bill.billedTokens),
    tokensPerCall: calls === 0 ? 0 : Math.round(bill.inputTokens / calls),
    relativeCost: baseline.billedTokens === 0 ? 1 : bill.billedTokens / baseline.billedTokens,
    compactionMs: records.reduce((total, { durationMs }) => total + durationMs, 0),
  };
}

/** Returns the cost of a transcript's calls without compactions. */
export function billAppendOnly(
  transcript: ReplayedTranscript,
  ports: Pick<CompactionPorts, 'meter'>,
  price: CachePrice,
): Promise<Bill> {
  return billPolicy(transcript, ports, price, (messages) => messages);
}

/** Returns the cost of the calls if a policy makes each request, with the same object for the same message. */
export async function billPolicy(
  { messages, tools }: ReplayedTranscript,
  { meter }: Pick<CompactionPorts, 'meter'>,
  price: CachePrice,
  policy: (messages: readonly Message[]) => readonly Message[],
): Promise<Bill> {
  const account = await openAccount(meter, tools, price);
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') await account.request(policy(repairPairs(messages.slice(0, index))));
  }
  return account.bill();
}
