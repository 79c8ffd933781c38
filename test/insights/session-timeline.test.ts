import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../src/compaction/messages/message.ts';
import type { CompactionRecord } from '../../src/compaction/records/record.ts';
import { sum, UsageMeter } from '../../src/compaction/tokens/usage.ts';
import {
  type TranscriptEntry,
  sameToolsThroughout,
} from '../../src/compaction/transcript/transcript-entry.ts';
import { project } from '../../src/compaction/transcript/view.ts';
import { createTimeline, type Timeline } from '../../src/insights/session-timeline.ts';
import { importTranscript } from '../../src/transcripts/import-transcript.ts';
import { addForeignCompactions } from '../../src/transcripts/foreign-compactions.ts';
import { createMeter } from '../support/engine.ts';
import { histories } from '../support/histories.ts';
import { called, entriesOf, result, said, system, textOfTokens, typed } from '../support/messages.ts';
import { dropped, recordWith } from '../support/records.ts';
import { readTranscriptText, realSessions } from '../support/transcripts.ts';

const tools = [{ type: 'function', function: { name: 'read', description: textOfTokens(50) } }] as const;
const messages: readonly Message[] = [
  system('s', 'rules'),
  typed('u', 'find it'),
  called('a1', ['c1', 'read', { path: 'f.ts' }]),
  result('r1', 'c1', textOfTokens(500)),
  called('a2', ['c2', 'read', { path: 'g.ts' }]),
  result('r2', 'c2', textOfTokens(300)),
  said('a3', 'found'),
];
const compaction = (record: CompactionRecord): TranscriptEntry => ({ type: 'compaction', record });
const createdAt = '2026-01-01T00:00:00.000Z';

describe('the timeline', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });
  const timelineOf = (entries: readonly TranscriptEntry[]): Promise<Timeline> =>
    createTimeline(meter, sameToolsThroughout(tools))(entries);

  it('has a call for each reply, with the size of the request', async () => {
    const { calls } = await timelineOf(entriesOf(messages));
    expect(calls.map(({ messageId }) => messageId)).toEqual(['a1', 'a2', 'a3']);
    const sent = sum([await meter.measureTools(tools), await meter.measure(messages.slice(0, 4))]);
    expect(calls[1]).toMatchObject({ tokens: sent.total, byKind: sent.byKind });
  });

  it('names the first new message of a request unless it is a result', async () => {
    const { calls } = await timelineOf(entriesOf([...messages, typed('u2', 'more'), said('a4', 'yes')]));
    expect(calls.map(({ firstId }) => firstId)).toEqual(['s', undefined, undefined, 'u2']);
  });

  it('counts the whole previous request as kept if the view only grew', async () => {
    const { calls } = await timelineOf(entriesOf(messages));
    expect(calls.map(({ keptTokens }) => keptTokens)).toEqual([0, calls[0]!.tokens, calls[1]!.tokens]);
  });

  it('contains the reported tokens beside the counted tokens', async () => {
    const usage = { inputTokens: 700, cachedInputTokens: 600, outputTokens: 9 };
    const { calls } = await timelineOf(entriesOf([typed('u', 'hi'), { ...said('a', 'hello'), usage }]));
    expect(calls[0]?.reported).toEqual(usage);
  });

  it('counts as kept only the part before the first change of a compaction', async () => {
    const entries = [
      ...entriesOf(messages.slice(0, 6)),
      compaction(recordWith('k1', [dropped('a1', 'r1')], [])),
      ...entriesOf(messages.slice(6)),
    ];
    const { calls, events } = await timelineOf(entries);
    const toolTokens = (await meter.measureTools(tools)).total;
    expect(calls.at(-1)?.tokens).toBe(
      toolTokens + (await meter.measure(project(entries).slice(0, -1))).total,
    );
    expect(calls.at(-1)?.keptTokens).toBe(toolTokens + (await meter.measure(messages.slice(0, 2))).total);
    expect(events).toMatchObject([{ atCall: 2, type: 'compaction', recordId: 'k1', status: 'applied' }]);
  });

  it('marks compactions, undos and restores at the point where they happened', async () => {
    const { calls, events } = await timelineOf([
      ...entriesOf(messages.slice(0, 4)),
      compaction(recordWith('k1', [dropped('a1', 'r1')], [])),
      ...entriesOf(messages.slice(4, 6)),
      { type: 'restore', createdAt, messageIds: ['a1', 'r1'] },
      { type: 'undo', createdAt, recordIds: ['k1'] },
      ...entriesOf(messages.slice(6)),
    ]);
    expect(events.map(({ atCall, type }) => [atCall, type])).toEqual([
      [1, 'compaction'],
      [2, 'restore'],
      [2, 'undo'],
    ]);
    const whole = await timelineOf(entriesOf(messages));
    expect(calls.at(-1)?.tokens).toBe(whole.calls.at(-1)?.tokens);
  });

  it('marks an overflow once, even if it caused several compactions', async () => {
    const overflow = { source: 'overflow', requirement: 'hard', tokens: 900 } as const;
    const first = { ...recordWith('k1', [], []), status: 'failed', trigger: overflow } as const;
    const second = { ...recordWith('k2', [dropped('a1', 'r1')], []), trigger: overflow };
    const { events } = await timelineOf([
      ...entriesOf(messages.slice(0, 6)),
      compaction(first),
      compaction(second),
    ]);
    expect(events).toMatchObject([
      { type: 'overflow', recordId: 'k1', tokens: 900 },
      { type: 'compaction', recordId: 'k1', strategy: 'test', status: 'failed' },
      { type: 'compaction', recordId: 'k2', strategy: 'test', status: 'applied' },
    ]);
    expect(events).toHaveLength(3);
  });

  it('counts fewer tokens as kept if a late result changed the prefix', async () => {
    const { calls } = await timelineOf(
      entriesOf([
        typed('u', 'find it'),
        called('a1', ['c1', 'read']),
        typed('v', 'never mind'),
        said('a2', 'fine'),
        result('r1', 'c1', textOfTokens(40)),
        said('a3', 'it came after all'),
      ]),
    );
    expect(calls[1]?.keptTokens).toBe(calls[0]?.tokens);
    expect(calls[2]!.keptTokens).toBeLessThan(calls[1]!.tokens);
  });

  it('counts a dropped call again once its late result arrives', async () => {
    const asked = [typed('u', 'find it'), called('a1', ['c1', 'read'])];
    const answered = [result('r1', 'c1', textOfTokens(40)), said('a2', 'found')];
    const drop = compaction(recordWith('k1', [dropped('a1', 'a1.1')], []));
    const { calls } = await timelineOf([...entriesOf(asked), drop, ...entriesOf(answered)]);
    const whole = await timelineOf(entriesOf([...asked, ...answered]));
    expect(calls[1]?.tokens).toBe(whole.calls[1]?.tokens);
  });

  it('is the same whether the session is read at once or step by step', async () => {
    const entries = [
      ...entriesOf(messages.slice(0, 6)),
      compaction(recordWith('k1', [dropped('a1', 'r1')], [])),
      ...entriesOf(messages.slice(6)),
    ];
    const read = createTimeline(meter, sameToolsThroughout(tools));
    const steps = await Promise.all(entries.map((_, index) => read(entries.slice(0, index + 1))));
    expect(steps.at(-1)).toEqual(await timelineOf(entries));
  });

  it('counts each text once, even if the session is extended repeatedly', async () => {
    const counted: string[] = [];
    const counting = new UsageMeter(
      {
        count: (texts) => {
          counted.push(...texts);
          return Promise.resolve(texts.map(({ length }) => length));
        },
      },
      { countsReasoning: true },
    );
    const read = createTimeline(counting, sameToolsThroughout(tools));
    const entries = entriesOf(messages);
    for (let end = 1; end <= entries.length; end++) await read(entries.slice(0, end));
    const contents = counted.filter((text) => text.startsWith('one two'));
    expect(contents).toHaveLength(2);
  });

  it('agrees with the size of the view at the last call of every real session', async () => {
    for (const name of realSessions) {
      const imported = importTranscript(readTranscriptText(name));
      const entries = await addForeignCompactions(imported, meter);
      const end = entries.findLastIndex(
        (entry) => entry.type === 'message' && entry.message.role === 'assistant',
      );
      const { calls } = await createTimeline(meter, sameToolsThroughout(imported.tools))(entries);
      const { total } = sum([
        await meter.measureTools(imported.tools),
        await meter.measure(project(entries.slice(0, end))),
      ]);
      expect(calls.at(-1)?.tokens, name).toBe(total);
    }
  });

  it('agrees with the size of the view at every call', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.array(fc.nat({ max: 40 }), { maxLength: 3 }), async (history, cuts) => {
        const entries = withDrops(history.messages, cuts);
        const { calls } = await timelineOf(entries);
        let call = 0;
        for (const [index, entry] of entries.entries()) {
          if (entry.type !== 'message' || entry.message.role !== 'assistant') continue;
          const usages = [
            await meter.measureTools(tools),
            await meter.measure(project(entries.slice(0, index))),
          ];
          const { total: tokens, byKind } = sum(usages);
          expect(calls[call++]).toMatchObject({ messageId: entry.message.id, tokens, byKind });
        }
        expect(call).toBe(calls.length);
      }),
      { numRuns: 60 },
    );
  });
});

/** The messages with compactions between them that each drop one; the last one is undone at the end. */
function withDrops(messages: readonly Message[], cuts: readonly number[]): readonly TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  messages.forEach((message, index) => {
    entries.push({ type: 'message', message });
    if (!cuts.includes(index)) return;
    const [victim] = project(entries);
    if (victim !== undefined) entries.push(compaction(recordWith(`k${index}`, [dropped(victim.id)], [])));
  });
  const last = entries.findLast((entry) => entry.type === 'compaction');
  if (last !== undefined) entries.push({ type: 'undo', createdAt, recordIds: [last.record.id] });
  return [...entries, { type: 'message', message: said('end', 'done') }];
}
