import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { modelRequestOf } from '../../src/agent/model/chat-model.ts';
import type { Message, ToolSchema } from '../../src/compaction/messages/message.ts';
import {
  sameToolsThroughout,
  type ToolHistory,
  type TranscriptEntry,
} from '../../src/compaction/transcript/transcript-entry.ts';
import { project } from '../../src/compaction/transcript/view.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { requestDifference, type RequestDifference } from '../../src/insights/request-difference.ts';
import { requestsAround } from '../../src/insights/sent-request.ts';
import { createTimeline } from '../../src/insights/session-timeline.ts';
import { createMeter } from '../support/engine.ts';
import { called, entriesOf, result, said, system, textOfTokens, typed } from '../support/messages.ts';
import { sessionStories, tell } from '../support/own-sessions.ts';
import { dropped, recordWith } from '../support/records.ts';
import { soak } from '../support/soak.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const tool = (name: string, description = 'does it'): ToolSchema => ({
  type: 'function',
  function: { name, description },
});
const tools = [tool('read'), tool('write')];
const messages: readonly Message[] = [
  system('s', 'rules'),
  typed('u', 'find it'),
  called('a1', ['c1', 'read', { path: 'f.ts' }]),
  result('r1', 'c1', textOfTokens(500)),
  called('a2', ['c2', 'read', { path: 'g.ts' }]),
  result('r2', 'c2', textOfTokens(300)),
  said('a3', 'found'),
];
const hiding: TranscriptEntry = { type: 'compaction', record: recordWith('k1', [dropped('a1', 'r1')], []) };
/** A session with events between the second request and the third. */
const withEvents = (...events: readonly TranscriptEntry[]) => [
  ...entriesOf(messages.slice(0, 6)),
  ...events,
  ...entriesOf(messages.slice(6)),
];

describe('the difference between a request and the previous one', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });
  async function differenceAt(
    messageId: string,
    entries: readonly TranscriptEntry[],
    history: ToolHistory = sameToolsThroughout(tools),
  ): Promise<RequestDifference> {
    const pair = requestsAround(entries, history, messageId)!;
    return requestDifference(pair, entries, meter);
  }

  it('is empty if the conversation has only grown', async () => {
    const difference = await differenceAt('a3', entriesOf(messages));
    expect(difference).toMatchObject({ cause: { type: 'none' }, againTokens: 0 });
    expect(difference.newTokens).toBe((await meter.measure(messages.slice(4, 6))).total);
  });

  it('is undefined for the first request, and for messages that end no request', () => {
    for (const id of ['a1', 'u', 'nobody']) {
      expect(requestsAround(entriesOf(messages), sameToolsThroughout(tools), id)).toBeUndefined();
    }
  });

  it('starts at the first message that a compaction changed', async () => {
    const difference = await differenceAt('a3', withEvents(hiding));
    expect(difference).toMatchObject({
      cause: { type: 'compaction', recordId: 'k1', strategy: 'test' },
      before: { message: { id: 'a1' } },
      after: { message: { id: 'a2' } },
      againTokens: 0,
    });
  });

  const after = (event: TranscriptEntry) => [
    ...withEvents(hiding),
    event,
    ...entriesOf([said('a4', 'more')]),
  ];

  it('names an undo as the cause, not the undone compaction', async () => {
    const difference = await differenceAt('a4', after({ type: 'undo', createdAt, recordIds: ['k1'] }));
    expect(difference).toMatchObject({
      cause: { type: 'undo', recordIds: ['k1'] },
      before: { message: { id: 'a2' } },
      after: { message: { id: 'a1' } },
    });
    expect(difference.againTokens).toBe((await meter.measure(messages.slice(2, 6))).total);
  });

  it('names a restore as the cause', async () => {
    const { cause } = await differenceAt(
      'a4',
      after({ type: 'restore', createdAt, messageIds: ['a1', 'r1'] }),
    );
    expect(cause).toEqual({ type: 'restore', messageIds: ['a1', 'r1'] });
  });

  it('names a late result as the cause', async () => {
    const entries = entriesOf([
      ...messages.slice(0, 3),
      said('a2', 'while that runs'),
      typed('u2', 'go on'),
      result('r1', 'c1', 'late'),
      said('a3', 'done'),
    ]);
    expect((await differenceAt('a3', entries)).cause).toEqual({ type: 'late-result', messageId: 'r1' });
  });

  it('names a change of the model as the cause, and counts no token as kept', async () => {
    const entries = entriesOf(
      messages.map((message) => ({
        ...message,
        ...(message.id === 'a3' ? { modelId: 'two' } : { modelId: 'one' }),
      })),
    );
    expect(await differenceAt('a3', entries)).toMatchObject({
      cause: { type: 'model', before: 'one', after: 'two' },
      keptTokens: 0,
    });
  });

  it.each<[string, readonly ToolSchema[], object]>([
    ['added', [...tools, tool('run')], { added: ['run'] }],
    ['removed', [tool('write')], { removed: ['read'] }],
    ['described differently', [tool('read', 'other words'), tool('write')], { changed: ['read'] }],
    [
      'written with its fields in another order',
      [{ function: { description: 'does it', name: 'read' }, type: 'function' }, tool('write')],
      { reordered: ['read'] },
    ],
    ['sent in another order', [tool('write'), tool('read')], {}],
  ])('names a tool as the cause if it was %s', async (_how, later, names) => {
    const none = { added: [], removed: [], changed: [], reordered: [] };
    const { cause, before } = await differenceAt('a3', entriesOf(messages), [
      { entries: 0, tools },
      { entries: 5, tools: later },
    ]);
    expect(cause).toEqual({ type: 'tools', ...none, ...names });
    expect(before?.type).toBe('added' in names ? 'message' : 'tool');
  });

  /** Each tool and message as sent to a provider, as one text with the position of each. */
  function serialised(sent: readonly ToolSchema[], view: readonly Message[]) {
    const request = modelRequestOf(view, sent);
    return [
      ...request.tools.map((schema) => JSON.stringify(schema)),
      ...request.messages.map(({ reasoning_content: reasoning, ...message }, position) => {
        const items = request.reasoningItems?.get(position);
        return JSON.stringify([message, items && [reasoning, items], request.opaque?.get(position)]);
      }),
    ];
  }

  it('starts where the texts of the two requests first differ, for any history', async () => {
    const causes = new Set<string>();
    const hold = async (story: Parameters<typeof tell>[0], changeAt: number): Promise<void> => {
      const { entries } = await tell(story, meter);
      const place = changeAt % entries.length;
      const history = [
        { entries: 0, tools },
        { entries: place, tools: [tool('read'), tool('run')] },
      ];
      const { calls } = await createTimeline(meter, history)(entries);
      for (const [index, { messageId, keptTokens, tokens, broken }] of calls.entries()) {
        const pair = requestsAround(entries, history, messageId);
        if (pair === undefined) {
          expect(index).toBe(0);
          continue;
        }
        const difference = await requestDifference(pair, entries, meter);
        const [one, other] = [pair.before, pair.after].map(({ entry }) =>
          serialised(
            history.findLast((list) => list.entries <= entry)!.tools,
            project(entries.slice(0, entry)),
          ),
        );
        const first = one!.findIndex((piece, position) => piece !== other![position]);
        const alike = first < 0 ? one!.length : first;
        expect(difference.alike).toBe(alike);
        expect(difference.cause.type === 'none').toBe(first < 0);
        expect(difference.keptTokens).toBe(keptTokens);
        expect(broken?.cause ?? { type: 'none' }).toEqual(difference.cause);
        expect(broken?.tokens ?? 0).toBe(difference.againTokens);
        expect(difference.keptTokens + difference.againTokens + difference.newTokens).toBe(tokens);
        causes.add(difference.cause.type);
      }
    };
    await fc.assert(fc.asyncProperty(sessionStories, fc.nat(), hold), { numRuns: soak(40, 150) });
    for (const story of fc.sample(sessionStories, { numRuns: 60, seed: 7 })) {
      if (['none', 'tools', 'compaction', 'undo', 'restore'].every((cause) => causes.has(cause))) break;
      await hold(story, 5);
    }
    expect([...causes]).toEqual(expect.arrayContaining(['none', 'tools', 'compaction']));
  });
});
