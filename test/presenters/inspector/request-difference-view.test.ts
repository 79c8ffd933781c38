import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ModelFacts } from '../../../src/compaction/budget/model-table.ts';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import type { Message, ToolSchema } from '../../../src/compaction/messages/message.ts';
import { hideId, rewindId, rewrittenId } from '../../../src/compaction/records/record.ts';
import { emptyUsage, type UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import { createTimeline } from '../../../src/insights/session-timeline.ts';
import { englishWording, type Wording, wordingFor } from '../../../src/language/translated/wording.ts';
import { type InspectedSession, InspectorModel } from '../../../src/presenters/inspector/inspector-model.ts';
import {
  markedTexts,
  requestDifferenceView,
} from '../../../src/presenters/inspector/request-difference-view.ts';
import { sessionTools } from '../../../src/presenters/inspector/timeline-feed.ts';
import { createMeter } from '../../support/engine.ts';
import {
  called,
  entriesOf,
  memory,
  result,
  said,
  system,
  textOfTokens,
  typed,
} from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

const tool = (name: string): ToolSchema => ({ type: 'function', function: { name, description: 'does it' } });
const reported = (cachedInputTokens: number) => ({ inputTokens: 5_000, cachedInputTokens, outputTokens: 1 });
const messages: readonly Message[] = [
  system('s', 'rules'),
  typed('u', 'find it'),
  called('a1', ['c1', 'read', { path: 'f.ts' }]),
  result('r1', 'c1', textOfTokens(500)),
  called('a2', ['c2', 'read', { path: 'g.ts' }]),
  result('r2', 'c2', textOfTokens(300)),
  { ...said('a3', 'found'), usage: reported(20), modelId: 'priced' },
];
const placeholder: Message = {
  ...messages[3]!,
  content: '[hidden]',
  truncation: { fate: 'hide', originalTokens: 500 },
};
function compaction(strategy = 'tool-result-hiding'): TranscriptEntry {
  const actions = [
    {
      kind: 'hide',
      sourceIds: ['r1'],
      outputId: 'r1',
      reason: 'old',
      tokensBefore: 500,
      tokensAfter: 5,
    } as const,
  ];
  return {
    type: 'compaction',
    record: { ...recordWith('k1', actions, [placeholder]), actualStrategy: strategy },
  };
}
const facts: ModelFacts = {
  encoding: 'o200k_base',
  isStandIn: false,
  price: { input: 2, output: 8 },
  cache: { read: 0.1, write: 1.25 },
};

describe('a request compared with the previous one', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });

  function sessionOf(
    entries: readonly TranscriptEntry[],
    changes: Partial<InspectedSession> = {},
  ): InspectedSession {
    return {
      transcript: transcriptOf(entries),
      title: 'A session',
      activity: 'idle',
      tools: [],
      compaction: {
        undoneWith: () => [],
        usage: () => Promise.resolve(emptyUsage),
        budget: createBudget({ window: 10_000, triggerRatio: 0.85, targetRatio: 0.5 }),
      },
      ...changes,
    };
  }
  const view = async (session: InspectedSession, messageId = 'a3', wording: Wording = englishWording) =>
    requestDifferenceView(
      new InspectorModel({ id: 's1', session, meterOf: () => meter, wording }),
      messageId,
      {
        calls: (await createTimeline(meter, sessionTools(session))(session.transcript.entries)).calls,
        model: undefined,
        factsOf: (model) => (model === 'priced' ? facts : { encoding: 'o200k_base', isStandIn: false }),
        wording,
      },
    );
  const compacted = (strategy?: string) =>
    sessionOf([...entriesOf(messages.slice(0, 6)), compaction(strategy), ...entriesOf(messages.slice(6))]);

  it('shows the first difference on both sides, with the cause and the cost', async () => {
    // The view of the previous request had the long result.
    const entries = [
      ...entriesOf(messages.slice(0, 6)),
      ...entriesOf([said('a', 'so'), typed('u2', 'on')]),
      compaction(),
      ...entriesOf(messages.slice(6)),
    ];
    const found = (await view(sessionOf(entries)))!;
    expect(found).toMatchObject({
      request: 4,
      recordId: 'k1',
      cause: ['A compaction rewrote the conversation from here on: Tool Result Hiding.'],
      before: { label: 'read f.ts', text: { alike: '', isCutAfter: true } },
      after: { text: { changed: '[hidden]' } },
      reportedCached: 20,
    });
    expect(found.money!.written / found.money!.read!).toBeCloseTo(12.5);
    expect(found.money!.written).toBeCloseTo((found.again * 2 * 1.25) / 1_000_000);
  });

  it.each([
    [hideId, 'Messages were hidden by hand.'],
    [rewindId, 'The chat continued from an earlier message.'],
    [rewrittenId, 'The client changed messages that it had sent before.'],
  ])('describes a change that no strategy made: %s', async (strategy, words) => {
    expect((await view(compacted(strategy)))?.cause[0]).toBe(words);
  });

  it('is in the language of the user', async () => {
    expect((await view(compacted(hideId), 'a3', await wordingFor('zh-cn')))?.cause[0]).toBe(
      '手动隐藏了一些消息。',
    );
  });

  it('reports a cache miss without changes, and the time between the requests', async () => {
    const later = messages.map((message) =>
      message.id === 'a3'
        ? { ...message, createdAt: '2026-01-01T00:12:00.000Z' }
        : {
            ...{ ...message, createdAt: '2026-01-01T00:00:00.000Z' },
            ...(message.id === 'a2' && { usage: reported(4_900), modelId: 'priced' }),
          },
    );
    const found = await view(sessionOf(entriesOf(later)));
    expect(found?.cause).toEqual([
      expect.stringContaining('starts with the complete previous one'),
      expect.stringContaining('12 minutes lie between'),
    ]);
    expect(found).toMatchObject({ before: undefined, after: undefined, money: undefined });
  });

  it.each<[Message, RegExp]>([
    [
      { ...memory('n', 'Use tabs.'), source: 'AGENTS.md' },
      /^Memory was loaded or changed: AGENTS\.md \(\d+ tokens/,
    ],
    [system('n', 'more rules'), /^Instructions were added or changed \(\d+ tokens/],
    [
      { ...typed('n', 'see\nfile'), attached: { typedLength: 3, items: [] } },
      /^1 message with attachments was added/,
    ],
  ])('describes other added messages of the request: %j', async (message, sentence) => {
    const entries = entriesOf([...messages.slice(0, 6), message, ...messages.slice(6)]);
    const found = await view(sessionOf(entries));
    expect(found?.cause.at(-1)).toMatch(sentence);
    expect(found?.again).toBe(0);
  });

  it('begins with the tools that changed, each with the change', async () => {
    const toolHistory = [
      { entries: 0, tools: [tool('read'), tool('write')] },
      { entries: 5, tools: [tool('read'), tool('run')] },
    ];
    const found = await view(sessionOf(entriesOf(messages), { toolHistory }));
    expect(found?.cause).toEqual([
      'The tool list changed, and tools are sent before all messages. Added: run, Removed: write.',
    ]);
    expect(found).toMatchObject({ before: { label: 'write' }, after: { label: 'run' } });
  });

  it('lists what broke the cache in the whole session, with the first request and the cost', async () => {
    const found = await view(compacted(), 'a2');
    const [broken] = (await view(compacted()))?.breaks ?? [];
    expect(found?.breaks).toEqual([broken]);
    expect(broken).toMatchObject({ cause: 'Compaction: Tool Result Hiding', count: 1, messageId: 'a3' });
    expect(broken?.dollars).toBeCloseTo((broken!.tokens * 2 * (1.25 - 0.1)) / 1_000_000);
  });

  it('gathers the breaks that the session does not explain, the first request first', async () => {
    const cached = [4_900, 2_000, 0, 4_900].map((tokens, index) => ({
      ...said(`b${index}`, 'so'),
      usage: reported(tokens),
    }));
    const asked = cached.flatMap((reply, index) => [typed(`v${index}`, 'on'), reply]);
    expect((await view(sessionOf(entriesOf(asked)), 'b3'))?.breaks).toEqual([
      {
        cause: 'Unexplained: another server answered, or a part changed that the session does not contain',
        count: 2,
        tokens: 8_000,
        dollars: undefined,
        messageId: 'b1',
      },
    ]);
  });

  it('lists nothing if the conversation only grew', async () => {
    expect((await view(sessionOf(entriesOf(messages.slice(0, 6))), 'a2'))?.breaks).toEqual([]);
  });

  it('is empty before the second request', async () => {
    expect(await view(compacted(), 'a1')).toBeUndefined();
  });
});

describe('the marked texts of a difference', () => {
  const whole = ({ alike, changed, rest }: ReturnType<typeof markedTexts>[0]) => alike + changed + rest;

  it('mark the difference, and keep the text around it', () => {
    const [one, other] = markedTexts('the old lock', 'the new lock');
    expect([one.alike, one.changed, one.rest]).toEqual(['the ', 'old', ' lock']);
    expect(other.changed).toBe('new');
  });

  it('are short unless requested in full, and split no character', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '😀', '😁', '\n', 'x'.repeat(200)), { maxLength: 20 });
    fc.assert(
      fc.property(text, text, text, text, (head, one, other, tail) => {
        const texts = [one, other].map((middle) => [...head, ...middle, ...tail].join('')) as [
          string,
          string,
        ];
        markedTexts(...texts).forEach((marked, index) => {
          const shown = whole(marked);
          expect(texts[index]).toContain(shown);
          expect(shown.length).toBeLessThanOrEqual(1_400);
          expect(/\p{Surrogate}/u.test(shown)).toBe(false);
          if (!marked.isCutBefore && !marked.isCutAfter) expect(shown).toBe(texts[index]);
        });
      }),
    );
  });
});
