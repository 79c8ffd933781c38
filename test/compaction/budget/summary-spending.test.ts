import { describe, expect, it } from 'vitest';
import { SummaryBill } from '../../../src/compaction/service/billed-compaction.ts';
import { SummarySpending, type SpendingLimit } from '../../../src/compaction/budget/summary-spending.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import type {
  SummaryModel,
  SummaryReply,
  SummaryRequest,
} from '../../../src/compaction/summary/summary-model.ts';
import { createMeter } from '../../support/engine.ts';

const meter = await createMeter();

describe('SummarySpending', () => {
  const request: SummaryRequest = {
    instructions: 'Summarise.',
    prompt: 'one two three',
    sources: [],
    focus: undefined,
    tag: 'summary',
    maxOutputTokens: 100,
  };
  const reply: SummaryReply = {
    content: 'notes',
    finishReason: 'stop',
    usage: { inputTokens: 900, outputTokens: 100 },
  };
  const answering = (answer: () => Promise<SummaryReply>): SummaryModel => ({
    id: 'model',
    window: 10_000,
    summarise: answer,
  });
  const spendingOf = (limit: SpendingLimit, records: readonly CompactionRecord[] = []) =>
    new SummarySpending(records, () => limit);
  const billOf = (spending: SummarySpending, isManual = false) =>
    new SummaryBill(meter, spending.allowance(isManual));
  const never = new AbortController().signal;

  it('counts requests and their reported tokens', async () => {
    const bill = billOf(spendingOf({}));
    const model = bill.of(answering(() => Promise.resolve(reply)));
    await model.summarise(request, never);
    await model.summarise(request, never);
    expect(bill.use).toEqual({ requests: 2, promptTokens: 1_800, outputTokens: 200 });
  });

  it('counts a failed request, and estimates its tokens if they are not reported', async () => {
    const bill = billOf(spendingOf({}));
    const model = bill.of(answering(() => Promise.reject(new Error('gone'))));
    await expect(model.summarise(request, never)).rejects.toThrow('gone');
    expect(bill.use.requests).toBe(1);
    expect(bill.use.promptTokens).toBe(await meter.countText('Summarise.\none two three'));
  });

  it.each<[SpendingLimit]>([[{ requests: 2 }], [{ tokens: 2_000 }]])(
    'stops automatic requests at the limit %j, but not requests of the user',
    async (limit) => {
      const spending = spendingOf(limit);
      const model = answering(() => Promise.resolve(reply));
      const automatic = billOf(spending).of(model);
      await automatic.summarise(request, never);
      expect(spending.isExhausted).toBe(false);
      await automatic.summarise(request, never);
      expect(spending.isExhausted).toBe(true);
      await expect(automatic.summarise(request, never)).rejects.toThrow('limit for automatic summaries');
      await expect(billOf(spending, true).of(model).summarise(request, never)).resolves.toEqual(reply);
    },
  );

  it('includes the requests in earlier records of the session', () => {
    const record = { modelUse: { requests: 5, promptTokens: 10, outputTokens: 1 } } as CompactionRecord;
    expect(spendingOf({ requests: 5 }, [record]).isExhausted).toBe(true);
    expect(spendingOf({ requests: 6 }, [record]).isExhausted).toBe(false);
  });
});
