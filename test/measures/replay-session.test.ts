import { describe, expect, it } from 'vitest';
import type { CompactionPorts } from '../../src/compaction/service/compact.ts';
import type { Message } from '../../src/compaction/messages/message.ts';
import { llmSummary } from '../../src/compaction/strategies/llm-summary.ts';
import { none } from '../../src/compaction/strategies/none.ts';
import type { Strategy } from '../../src/compaction/strategies/contract/strategy.ts';
import { toolResultHiding } from '../../src/compaction/strategies/tool-result-hiding.ts';
import { cachePrices, type CacheName } from '../../src/measures/cache-account.ts';
import { billAppendOnly, billPolicy, replay } from '../../src/measures/replay-session.ts';
import { createMeter, SummaryModelDouble } from '../support/engine.ts';
import { called, result, system, textOfTokens, typed } from '../support/messages.ts';

const meter = await createMeter();

const tools = [{ type: 'function', function: { name: 'read', description: textOfTokens(50) } }] as const;
/** A request and twenty reads of 500 tokens each. */
const messages: readonly Message[] = [
  system('s', 'rules'),
  typed('u', 'find it'),
  ...Array.from({ length: 20 }, (_, step): readonly Message[] => [
    called(`a${step}`, [`c${step}`, 'read', { path: `f${step}.ts` }]),
    result(`r${step}`, `c${step}`, textOfTokens(500)),
  ]).flat(),
];

describe('a replay', () => {
  const portsWith = (model?: SummaryModelDouble): CompactionPorts => {
    let records = 0;
    return { meter, model: () => model, clock: { now: () => 0 }, nextRecordId: () => `record-${++records}` };
  };
  const run = (strategy: Strategy, cache: CacheName, window = 6_000, model?: SummaryModelDouble) =>
    replay(
      {
        messages,
        tools,
        strategy,
        budget: { window, triggerRatio: 0.85, targetRatio: 0.5 },
        price: cachePrices[cache],
      },
      portsWith(model),
      new AbortController().signal,
    );

  it('makes one call for every reply of the model', async () => {
    expect((await run(none, 'none')).calls).toBe(20);
  });

  it('costs as much as an append-only session, and overflows, without compaction', async () => {
    const replayed = await run(none, 'anthropic');
    expect(replayed).toMatchObject({ relativeCost: 1, compactions: 0, invalidRequests: 0 });
    expect(replayed.overflows).toBeGreaterThan(0);
    expect(replayed.peakTokens).toBeGreaterThan(9_500);
  });

  it('bills the prefix of the previous request as read, and the rest as written', async () => {
    const first = messages.slice(0, 3);
    const short = { messages: [...first, messages[3]!, messages[4]!], tools };
    const one = (await meter.measureTools(tools)).total + (await meter.measure(messages.slice(0, 2))).total;
    const two = (await meter.measure(messages.slice(2, 4))).total;
    const bill = await billAppendOnly(short, portsWith(), { read: 0.1, write: 1.25 });
    expect(bill.inputTokens).toBe(2 * one + two);
    expect(bill.billedTokens).toBeCloseTo(1.25 * one + 0.1 * one + 1.25 * two);
  });

  it('bills all input at full price without a cache', async () => {
    const replayed = await run(toolResultHiding, 'none');
    expect(replayed.billedTokens).toBe(replayed.inputTokens);
  });

  it('stays within the window and costs less if a strategy compacts', async () => {
    const replayed = await run(toolResultHiding, 'none');
    expect(replayed.compactions).toBeGreaterThan(0);
    expect(replayed.overflows).toBe(0);
    expect(replayed.relativeCost).toBeLessThan(1);
  });

  it("bills a model's input and output for a summary", async () => {
    const model = new SummaryModelDouble({
      content: `<summary>${textOfTokens(100)}</summary>`,
      finishReason: 'stop',
      usage: { inputTokens: 1, outputTokens: 1_000_000 },
    });
    const replayed = await run(llmSummary, 'openai', 6_000, model);
    expect(model.requests.length).toBeGreaterThan(0);
    expect(replayed.billedTokens).toBeGreaterThan(model.requests.length * 1_000_000);
  });

  it('costs more if the view is rewritten before every call', async () => {
    const hidden = new WeakMap<Message, Message>();
    const hide = (message: Message): Message => {
      const known = hidden.get(message) ?? { ...message, content: 'hidden' };
      hidden.set(message, known);
      return known;
    };
    const masked = (sent: readonly Message[]) =>
      sent.map((message, index) =>
        message.role === 'tool' && index < sent.length - 16 ? hide(message) : message,
      );
    const policy = await billPolicy({ messages, tools }, portsWith(), cachePrices.anthropic, masked);
    const appendOnly = await billAppendOnly({ messages, tools }, portsWith(), cachePrices.anthropic);
    expect(policy.inputTokens).toBeLessThan(appendOnly.inputTokens);
    expect(policy.billedTokens).toBeGreaterThan(appendOnly.billedTokens);
  });
});
