import { describe, expect, it } from 'vitest';
import type { ModelFacts } from '../../src/compaction/budget/model-table.ts';
import type { ReportedUsage } from '../../src/compaction/messages/message.ts';
import type { SummaryReport } from '../../src/compaction/records/record.ts';
import { emptyUsage } from '../../src/compaction/tokens/usage.ts';
import { moneyOf, moneyOfCost } from '../../src/insights/session-cost.ts';
import type { TimelineCall } from '../../src/insights/session-timeline.ts';
import { recordWith } from '../support/records.ts';

const counted: ModelFacts = { encoding: 'o200k_base', isStandIn: false };
const priced: ModelFacts = {
  ...counted,
  price: { input: 2, output: 10, cachedInput: 0.5 },
  cache: { read: 0.25, write: 1 },
};
const call = (messageId: string, reported?: ReportedUsage): TimelineCall => ({
  messageId,
  createdAt: '2026-01-01T00:00:00.000Z',
  tokens: 0,
  byKind: emptyUsage.byKind,
  keptTokens: 0,
  ...(reported === undefined ? {} : { reported }),
});
const million = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };

describe('the cost of a session', () => {
  it('bills cached input, uncached input and output at their own prices', () => {
    const { calls, known } = moneyOf([call('a', million)], [], 'm', () => priced);
    expect(calls).toEqual([
      { id: 'a', money: { uncachedInput: 1.2, cachedInput: 0.2, output: 1, total: 2.4 } },
    ]);
    expect(known.total).toBe(2.4);
  });

  it('bills tokens written to the cache at the price of cache writes', () => {
    const facts: ModelFacts = { ...priced, cache: { read: 0.25, write: 1.25 } };
    const told = moneyOf([call('a', { ...million, cacheWriteTokens: 200_000 })], [], 'm', () => facts);
    expect(told).toMatchObject({ known: { uncachedInput: 1.3, total: 2.5 }, mayBeMore: false });
    expect(moneyOf([call('a', million)], [], 'm', () => facts).mayBeMore).toBe(true);
  });

  it.each([
    ['the model is unknown', [call('a', million)], undefined, priced],
    ['the price is unknown', [call('a', million)], 'm', counted],
    ['nothing was reported', [call('a')], 'm', priced],
    [
      'the price of cached input is unknown',
      [call('a', million)],
      'm',
      { ...counted, price: { input: 2, output: 10 } },
    ],
  ] as const)('is unknown if %s', (_why, calls, model, facts) => {
    const money = moneyOf(calls, [], model, () => facts);
    expect(money).toMatchObject({ calls: [{ id: 'a' }], known: { total: 0 }, unknown: 1 });
    expect(money.calls[0]).not.toHaveProperty('money');
  });

  it('bills a call at the price of the model that answered it', () => {
    const dear: ModelFacts = { ...priced, price: { input: 20, output: 100, cachedInput: 5 } };
    const calls = [{ ...call('a', million), modelId: 'dear' }, call('b', million)];
    const money = moneyOf(calls, [], 'cheap', (model) => (model === 'dear' ? dear : priced));
    expect(money.calls.map((expense) => expense.money?.total)).toEqual([24, 2.4]);
    expect(moneyOf(calls, [], undefined, () => dear).unknown).toBe(1);
  });

  it('estimates a missing price of cached input from the usual discount', () => {
    const facts: ModelFacts = { ...priced, price: { input: 2, output: 10 } };
    expect(moneyOf([call('a', million)], [], 'm', () => facts).known.cachedInput).toBe(0.2);
  });

  it('is marked as a lower bound if cache writes cost extra', () => {
    const fee: ModelFacts = { ...priced, cache: { read: 0.1, write: 1.25 } };
    expect(moneyOf([call('a', million)], [], 'm', () => fee).mayBeMore).toBe(true);
    expect(moneyOf([call('a', million)], [], 'm', () => priced).mayBeMore).toBe(false);
  });

  it('bills a summary at the price of its model, unless it continued the chat', () => {
    const report: SummaryReport = {
      model: 'small',
      promptTokens: 500_000,
      outputTokens: 10_000,
      attempts: 1,
    };
    const records = [
      { ...recordWith('k1', [], []), summary: report },
      { ...recordWith('k2', [], []), summary: { ...report, isContinued: true } },
      recordWith('k3', [], []),
    ];
    const { summaries, unknown } = moneyOf([], records, undefined, (model) =>
      model === 'small' ? priced : counted,
    );
    expect(summaries).toEqual([
      { id: 'k1', money: { uncachedInput: 1, cachedInput: 0, output: 0.1, total: 1.1 } },
      { id: 'k2' },
    ]);
    expect(unknown).toBe(1);
  });

  it('shows the cached share even without known prices', () => {
    const { cachedShare } = moneyOf([call('a', million), call('b')], [], undefined, () => counted);
    expect(cachedShare).toBe(0.4);
    expect(moneyOf([call('b')], [], undefined, () => counted)).not.toHaveProperty('cachedShare');
  });
});

describe('the cost of a compaction', () => {
  const cost = { cacheMissTokens: 100_000, savedPerCall: 40_000, breakEvenCalls: 8 };

  it('includes newly written tokens and the savings of each later call', () => {
    const money = moneyOfCost(cost, priced);
    expect(money?.now).toBeCloseTo(0.15);
    expect(money?.savedPerCall).toBeCloseTo(0.02);
  });

  it('is unknown without prices', () => {
    expect(moneyOfCost(cost, counted)).toBeUndefined();
  });
});
