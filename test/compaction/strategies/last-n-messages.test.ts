import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { lastNMessages } from '../../../src/compaction/strategies/last-n-messages.ts';
import { describeContract } from '../../contract/any-history.ts';
import { viewAfter } from '../../contract/contract.ts';
import { createMeter, runCompaction, SummaryModelDouble, type Run } from '../../support/engine.ts';
import { called, result, said, system, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

const at = (message: Message, time: string): Message => ({ ...message, createdAt: `2026-01-01T${time}:00Z` });
const view: readonly Message[] = [
  at(system('m0', 'be brief'), '08:00'),
  at(typed('m1', textOfTokens(100)), '09:00'),
  at(said('m2', textOfTokens(100)), '09:01'),
  at(called('m3', ['a', 'bash'], ['b', 'bash']), '09:02'),
  at(result('m4', 'a', textOfTokens(100)), '09:03'),
  at(result('m5', 'b', textOfTokens(100)), '09:04'),
  at(typed('m6', textOfTokens(100)), '10:00'),
  at(said('m7', textOfTokens(100)), '10:01'),
];

describe('last-n-messages', () => {
  const run = async (options: Readonly<Record<string, unknown>>, more: Partial<Run> = {}) => {
    const given = { view, strategy: lastNMessages, options, ...more };
    const record = (await runCompaction(given, meter))[0]!;
    return { record, after: viewAfter(given.view, record) };
  };
  const idsAfter = async (options: Readonly<Record<string, unknown>>) =>
    (await run(options)).after.map(({ id }) => id);

  describe('keeping the last messages', () => {
    it('leaves the last messages and system messages unchanged', async () => {
      expect(await idsAfter({ n: 2 })).toEqual(['m0', 'm6', 'm7']);
    });

    it('keeps the whole exchange of the first kept message', async () => {
      expect(await idsAfter({ n: 3 })).toEqual(['m0', 'm3', 'm4', 'm5', 'm6', 'm7']);
    });

    it('keeps the newest request, even if it is not among the last messages', async () => {
      expect(await idsAfter({ n: 1 })).toEqual(['m0', 'm6', 'm7']);
    });

    it('has nothing to do if there are no more messages', async () => {
      expect((await run({ n: 20 })).record.status).toBe('unchanged');
    });

    it('keeps fewer messages if the request would not fit otherwise', async () => {
      const { record, after } = await run({ n: 7 }, { requirement: 'hard', target: 330 });
      expect(record).toMatchObject({ status: 'applied', actualStrategy: 'last-n-messages' });
      expect(after.map(({ id }) => id)).toEqual(['m0', 'm6', 'm7']);
    });
  });

  describe('keeping the messages since a time', () => {
    it.each([
      ['the messages since that time', '2026-01-01T10:00:00Z', ['m0', 'm6', 'm7']],
      ['the same moment in another zone', '2026-01-01T11:00:00+01:00', ['m0', 'm6', 'm7']],
      ['whole exchanges', '2026-01-01T09:04:00Z', ['m0', 'm3', 'm4', 'm5', 'm6', 'm7']],
      ['the newest request if there are no later messages', '2027-01-01T00:00:00Z', ['m0', 'm6']],
    ])('keeps %s', async (_name, since, ids) => {
      expect(await idsAfter({ since })).toEqual(ids);
    });

    it('fails for an invalid time', async () => {
      expect((await run({ since: 'yesterday' })).record).toMatchObject({
        status: 'failed',
        reason: { message: expect.stringContaining('not "yesterday"') as string },
      });
    });
  });

  describe('summarising the last messages', () => {
    it('summarises the last messages, and drops older messages', async () => {
      const model = new SummaryModelDouble('<summary>what was done last</summary>');
      const { after } = await run({ n: 2, mode: 'summarise' }, { model });
      expect(model.requests[0]?.sources.map(({ id }) => id)).toEqual(['m7']);
      expect(after.map(({ id }) => id)).toEqual(['m0', 'm6', 'c1.1']);
      expect(after[2]?.content).toContain('what was done last');
    });

    it('merges an older summary', async () => {
      const notes: Message = { ...typed('m1', textOfTokens(100)), origin: 'strategy', kind: 'summary' };
      const model = new SummaryModelDouble('<summary>all of it</summary>');
      await run({ n: 2, mode: 'summarise' }, { view: [view[0]!, notes, ...view.slice(2)], model });
      expect(model.requests[0]?.sources.map(({ id }) => id)).toEqual(['m1', 'm7']);
    });
  });

  it.each([
    ['keep', 'Dropped without a summary: 5 messages, m1 to m5.'],
    ['summarise', 'Dropped without a summary: 5 messages, m1 to m5.'],
  ])('warns about messages dropped without a summary in the mode %s', async (mode, warning) => {
    const { record } = await run({ n: 2, mode }, { model: new SummaryModelDouble('<summary>x</summary>') });
    expect(record.warnings).toContain(warning);
  });

  describeContract(lastNMessages, { n: 3 });
  describeContract(lastNMessages, { n: 5, mode: 'summarise' });
});
