import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../src/compaction/messages/message.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import {
  sameToolsThroughout,
  type TranscriptEntry,
} from '../../src/compaction/transcript/transcript-entry.ts';
import { transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import {
  type FilledSession,
  fullnessEvidenceOf,
  type FullnessKnowledge,
  fullnessOf,
} from '../../src/insights/context-fullness.ts';
import { createTimeline } from '../../src/insights/session-timeline.ts';
import { createMeter } from '../support/engine.ts';
import { entriesOf, said, system, typed } from '../support/messages.ts';
import { recordWith } from '../support/records.ts';

const knowledge: FullnessKnowledge = { factsOf: () => ({ window: 200_000 }) };
const measured = { version: '2.1.197', system: 5_841, tools: 19_751 };

function reply(id: string, inputTokens: number, outputTokens = 100): Message {
  return { ...said(id, 'done'), modelId: 'claude-opus-4-5', usage: { inputTokens, outputTokens } };
}

describe('the fullness of a context', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });
  const fullness = async (
    entries: readonly TranscriptEntry[],
    known: Partial<FullnessKnowledge> = {},
    session: Partial<FilledSession> = {},
  ) => {
    const { calls } = await createTimeline(meter, sameToolsThroughout([]))(entries);
    const filled = { transcript: transcriptOf(entries), tools: [], compactions: [], ...session };
    return fullnessOf(await fullnessEvidenceOf(filled, { ...knowledge, ...known }, calls, meter));
  };
  const counted = async (...messages: readonly Message[]) => (await meter.measure(messages)).total;
  const compaction = (): TranscriptEntry => ({ type: 'compaction', record: recordWith('c1', [], []) });

  it('is the reported size of the last request and its reply, plus our count of later messages', async () => {
    const later = typed('u2', 'go on');
    const entries = entriesOf([typed('u1', 'hi'), reply('a1', 46_222, 20), later]);
    expect(await fullness(entries)).toMatchObject({
      tokens: 46_242 + (await counted(later)),
      basis: 'reported',
      window: 200_000,
    });
  });

  it('is, after a compaction, our count plus the excess of earlier reports over our counts', async () => {
    const first = typed('u1', 'hi');
    const entries = [...entriesOf([first, reply('a1', 50_000)]), compaction()];
    const { tokens, basis, unseen } = await fullness(entries);
    const lacked = 50_000 - (await counted(first));
    expect({ basis, unseen }).toEqual({ basis: 'counted', unseen: { tokens: lacked } });
    expect(tokens).toBe((await counted(...transcriptOf(entries).view)) + lacked);
  });

  it('is corrected by the median excess, so that one odd report does not matter', async () => {
    const entries = entriesOf([
      typed('u1', 'hi'),
      reply('a1', 30_000),
      reply('a2', 900_000),
      reply('a3', 31_000),
    ]);
    const { unseen } = await fullness([...entries, compaction()]);
    expect(unseen!.tokens).toBeGreaterThan(29_000);
    expect(unseen!.tokens).toBeLessThan(31_000);
  });

  it('is our count plus the sizes measured for the agent if it reported no sizes', async () => {
    const first = typed('u1', 'hi');
    expect(await fullness(entriesOf([first]), { measured })).toMatchObject({
      tokens: (await counted(first)) + 25_592,
      basis: 'counted',
      unseen: { tokens: 25_592, measuredWith: '2.1.197' },
    });
  });

  it('does not add the measured size of a part that the file contains', async () => {
    const entries = entriesOf([system('s', 'You are an agent.'), typed('u1', 'hi')]);
    expect((await fullness(entries, { measured })).unseen?.tokens).toBe(19_751);
    const tools = [{ type: 'function', function: { name: 'read' } }] as const;
    expect((await fullness(entries, { measured }, { tools })).unseen).toBeUndefined();
  });

  it('takes the size at which the agent compacts from the last request before a compaction', async () => {
    const messages = [typed('u1', 'hi'), reply('a1', 124_900), typed('u2', 'go on')];
    const automatic = { beforeMessageIndex: 2, trigger: 'automatic', tokensBefore: 1_934 } as const;
    expect((await fullness(entriesOf(messages), {}, { compactions: [automatic] })).compactsAt).toBe(125_000);
  });
});
