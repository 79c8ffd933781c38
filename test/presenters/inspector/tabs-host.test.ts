import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import { kinds, type Message, type ToolSchema } from '../../../src/compaction/messages/message.ts';
import { sum, type UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { markEntry } from '../../../src/compaction/manual-edits/mark-sentence.ts';
import { append, transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import type { Fullness } from '../../../src/insights/context-fullness.ts';
import {
  type ForeignSession,
  type InspectedSession,
  InspectorModel,
} from '../../../src/presenters/inspector/inspector-model.ts';
import { TabsHost } from '../../../src/presenters/inspector/tabs-host.ts';
import type { ModelChoice } from '../../../src/presenters/models/model-choice.ts';
import { createMeter } from '../../support/engine.ts';
import { called, entriesOf, result, said, system, textOfTokens, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import type { TabsNotification, TabsRequest } from '../../../src/protocol/inspector.ts';

/** No table knows the model by its label. */
const priced: ModelChoice = {
  isOffline: false,
  label: 'A model of an extension',
  encoding: 'o200k_base',
  isStandIn: false,
  price: { input: 1, output: 2, cachedInput: 0.1 },
};

const { price: _, ...unpriced }: ModelChoice = priced;

const tools: readonly ToolSchema[] = [
  { type: 'function', function: { name: 'read_file', description: 'Reads.', parameters: {} } },
];

/** Two files are read; a compaction drops the first one; the provider has reported on the last request. */
const entries: readonly TranscriptEntry[] = [
  ...entriesOf([
    system('m1', 'rules'),
    typed('m2', 'Find the EBUSY error. Never touch the lock file.'),
    called('m3', ['a1', 'read_file', { path: './src/store.ts' }]),
    result('m4', 'a1', `Error: EBUSY in the store ${textOfTokens(400)}`),
    called('m5', ['a2', 'read_file', { path: 'src/lock.ts' }]),
    result('m6', 'a2', textOfTokens(600)),
  ]),
  {
    type: 'compaction',
    record: recordWith(
      'c1',
      [{ kind: 'drop', sourceIds: ['m3', 'm4'], reason: 'old', tokensBefore: 0, tokensAfter: 0 }],
      [],
    ),
  },
  ...entriesOf([
    { ...said('m7', 'found it'), usage: { inputTokens: 700, cachedInputTokens: 350, outputTokens: 5 } },
  ] satisfies readonly Message[]),
];

function sessionOf(
  all: readonly TranscriptEntry[],
  meter: UsageMeter,
): InspectedSession & {
  transcript: InspectedSession['transcript'];
  exchanges?: InspectedSession['exchanges'];
} {
  const session = {
    transcript: transcriptOf(all),
    tools,
    title: 'A session',
    activity: 'idle' as const,
    compaction: {
      undoneWith: () => [],
      usage: async () => sum([await meter.measureTools(tools), await meter.measure(session.transcript.view)]),
      budget: createBudget({ window: 10_000, triggerRatio: 0.85, targetRatio: 0.5 }),
    },
  };
  return session;
}

describe('TabsHost', () => {
  let meter: UsageMeter;
  let posted: TabsNotification[];
  let done: string[];
  let session: ReturnType<typeof sessionOf>;
  let host: TabsHost;
  let counter: UsageMeter;
  let inspector: InspectorModel | undefined;

  beforeAll(async () => {
    meter = await createMeter();
  });

  beforeEach(() => {
    posted = [];
    done = [];
    session = sessionOf(entries, meter);
    counter = meter;
    host = new TabsHost((notification) => posted.push(notification), {
      wording: englishWording,
      settings: () => ({ mode: 'auto', strategy: 'ladder', protectFirst: true, factsOf: factsOfModel }),
      setTrigger: (ratio) => Promise.resolve(void done.push(`trigger ${ratio}`)),
      openSetting: (id) => Promise.resolve(void done.push(`setting ${id}`)),
      switchTool: (change) => Promise.resolve(void done.push(`switch ${JSON.stringify(change)}`)),
      showInChat: (id) => Promise.resolve(void done.push(`chat ${id}`)),
      openMessage: (sessionId, id) => Promise.resolve(void done.push(`open ${sessionId} ${id}`)),
    });
  });

  async function ask<Type extends TabsNotification['type']>(
    request: TabsRequest,
    type: Type,
    model = unpriced,
  ): Promise<Extract<TabsNotification, { type: Type }>> {
    await handle(request, true, model);
    const last = posted.at(-1);
    expect(last?.type).toBe(type);
    return last as Extract<TabsNotification, { type: Type }>;
  }

  function handle(request: TabsRequest, isChat = true, model = unpriced): Promise<void> {
    if (inspector?.session !== session) {
      inspector = new InspectorModel({
        id: 's1',
        session,
        meterOf: () => counter,
        wording: englishWording,
      });
    }
    return host.handle(request, { inspector, isChat, changes: undefined, model });
  }

  describe('the budget', () => {
    it('shows tools with their calls, files, and unremovable tokens', async () => {
      const { view, sessionId } = await ask({ type: 'budget' }, 'budget');
      const usage = await session.compaction.usage();
      expect(sessionId).toBe('s1');
      expect(view.largest[0]).toMatchObject({ id: 'm6', kind: 'toolResult' });
      expect(view.tools).toMatchObject([
        { tool: 'read_file', calls: 1, resultTokens: usage.byKind.toolResult, messageId: 'm6' },
      ]);
      expect(view.files).toMatchObject([{ path: 'src/lock.ts', calls: 1, messageId: 'm6' }]);
      expect(view.floor.byReason.tools).toBe(usage.byKind.tools);
      expect(Object.values(view.floor.byReason).reduce((total, tokens) => total + tokens, 0)).toBe(
        view.floor.total,
      );
    });

    it('lists the definitions of tools with their sizes and uses', async () => {
      const { view } = await ask({ type: 'budget' }, 'budget');
      const tokens = view.floor.byReason.tools;
      expect(view.schemas.groups).toMatchObject([
        {
          isOn: true,
          isOnDemand: false,
          tools: [{ name: 'read_file', uses: 2, isOn: true, isFixed: false }],
        },
      ]);
      // A list of one adds the brackets around it.
      expect(Math.abs(view.schemas.tokens - tokens)).toBeLessThanOrEqual(2);
    });

    it('lists messages hidden by the user, and files restored after a summary', async () => {
      const insertion = { kind: 'insert', sourceIds: [], outputId: 'c2.1', after: 'm7' } as const;
      const file: Message = {
        ...typed('c2.1', 'export const lock = 1;'),
        origin: 'harness',
        kind: 'file',
        source: 'src/lock.ts',
      };
      const measured = { reason: 'by hand', tokensBefore: 0, tokensAfter: 0 };
      const hiding = recordWith('c3', [{ kind: 'drop', sourceIds: ['m7', 'c2.1'], ...measured }], []);
      const hidden: TranscriptEntry[] = [
        { type: 'compaction', record: recordWith('c2', [{ ...insertion, ...measured }], [file]) },
        { type: 'compaction', record: { ...hiding, actualStrategy: 'hide' } },
      ];
      const all = [...entries, ...hidden];
      session = sessionOf(all, meter);
      const { view } = await ask({ type: 'budget' }, 'budget');
      expect(view.hidden).toMatchObject([{ id: 'c2.1', kind: 'file' }, { id: 'm7' }]);
      expect(view.hidden?.[0]?.tokens).toBeGreaterThan(0);

      session = sessionOf([...all, { type: 'restore', createdAt: '', messageIds: ['c2.1'] }], meter);
      expect((await ask({ type: 'budget' }, 'budget')).view.hidden).toMatchObject([{ id: 'm7' }]);
    });

    it('includes the limits in the newest response that names any', async () => {
      const exchange = { createdAt: '2026-11-27T10:00:00.000Z', outcome: 'complete', duration: 9 } as const;
      const percent = (used: string) => ({
        'x-codex-primary-used-percent': used,
        'x-codex-primary-window-minutes': '300',
      });
      const limits = [percent('10'), percent('20'), { 'retry-after': '1' }];
      session = { ...session, exchanges: limits.map((headers) => ({ ...exchange, limits: headers })) };
      const { view } = await ask({ type: 'budget' }, 'budget');
      expect(view.limits).toEqual([{ name: 'window', minutes: 300, used: 0.2 }]);
    });

    it('can disable tools only in the chat', async () => {
      await handle({ type: 'switch-tool', server: 'notes', isOn: false });
      await handle({ type: 'switch-tool', tool: 'read_file', isOn: true }, false);
      expect(done).toEqual(['switch {"server":"notes","isOn":false}']);
    });

    it("compares our count of a request with the provider's report", async () => {
      const { view } = await ask({ type: 'budget' }, 'budget');
      const { calls } = await ask({ type: 'timeline', generation: 0, from: 0 }, 'timeline');
      const counted = calls.at(-1)!.byKind.reduce((total, tokens) => total + tokens, 0);
      expect(view.compared).toEqual({ counted, reported: 700 });
      expect(view.cachedShare).toBe(0.5);
    });

    it('does not compare counts in a session from a file, which lacks parts of each request', async () => {
      session = { ...session, foreign: foreignWith({}) };
      expect((await ask({ type: 'budget' }, 'budget')).view.compared).toBeUndefined();
    });

    it('counts tokens that are not in the file as unremovable and static', async () => {
      const { view: whole } = await ask({ type: 'budget' }, 'budget');
      session = { ...session, foreign: foreignWith({ unseen: { tokens: 63_000 } }) };
      const { view } = await ask({ type: 'budget' }, 'budget');
      expect(view.floor.byReason.notInFile).toBe(63_000);
      expect(view.floor.total).toBe(whole.floor.total + 63_000);
      const staticFirst = view.health.find(({ id }) => id === 'staticFirst')!;
      expect(staticFirst.finding).toMatch(/^Instructions come first \(63,\d{3} tokens\)/);
    });

    it('does not check the session of another agent against our settings', async () => {
      session = { ...session, foreign: foreignWith({}) };
      const { health } = (await ask({ type: 'budget' }, 'budget')).view;
      const checks = health.map(({ id }) => id);
      expect([checks.includes('trigger'), checks.includes('protected')]).toEqual([false, false]);
      expect(health.flatMap(({ setting = [] }) => setting)).toEqual([]);
    });

    it('shows the cost only if the price is known', async () => {
      expect((await ask({ type: 'budget' }, 'budget')).view.money).toBeUndefined();
      const { view } = await ask({ type: 'budget' }, 'budget', priced);
      expect(view.money!.total).toBeGreaterThan(0);
      expect(view.money!.unknown).toBeGreaterThan(0);
    });

    it('describes the health of the session in complete sentences', async () => {
      const { view } = await ask({ type: 'budget' }, 'budget');
      const trigger = view.health.find(({ id }) => id === 'trigger')!;
      expect(trigger).toMatchObject({ state: 'good', setting: 'contextBudget.triggerRatio' });
      expect(view.health.map(({ finding }) => finding).filter((text) => /[{}]/.test(text))).toEqual([]);
    });
  });

  describe('the trigger', () => {
    it.each([
      [0.6, ['trigger 0.6']],
      [0.87, ['trigger 0.87']],
      // The target is half of the window, and an eighth stays free for the reply.
      [0.5, []],
      [0.88, []],
    ])('can be set to %d only if that is between target and reserve', async (ratio, expected) => {
      await handle({ type: 'set-trigger', ratio });
      expect(done).toEqual(expected);
      expect(posted).toEqual(expected.length === 0 ? [{ type: 'trigger-refused' }] : []);
    });

    it('cannot be moved in a read-only session', async () => {
      await handle({ type: 'set-trigger', ratio: 0.6 }, false);
      expect([done, posted]).toEqual([[], []]);
    });
  });

  it('opens settings, and messages in the chat or as documents', async () => {
    await handle({ type: 'open-setting', id: 'contextBudget.mode' });
    await handle({ type: 'show-in-chat', messageId: 'm4' });
    await handle({ type: 'show-in-chat', messageId: 'm4' }, false);
    await handle({ type: 'open-message', messageId: 'm4' });
    expect(done).toEqual(['setting contextBudget.mode', 'chat m4', 'open s1 m4']);
  });

  describe('the timeline', () => {
    it('includes every request by kind, and the events between requests', async () => {
      const { calls, marks, from } = await ask({ type: 'timeline', generation: 0, from: 0 }, 'timeline');
      expect(from).toBe(0);
      expect(calls).toHaveLength(3);
      expect(calls.every(({ byKind }) => byKind.length === kinds.length)).toBe(true);
      expect(calls.at(-1)).toMatchObject({ reported: 700, cached: 350 });
      expect(marks).toMatchObject([{ type: 'compaction', atCall: 2, recordId: 'c1', status: 'applied' }]);
    });

    it('marks the requests that missed the cache, also if only new ones are sent', async () => {
      const missed = async (from: number, generation = 0) => {
        const answer = await ask({ type: 'timeline', generation, from }, 'timeline');
        return [answer.generation, answer.calls.map(({ isMissed }) => isMissed)] as const;
      };
      const [generation, all] = await missed(0);
      expect(all).toEqual([false, false, true]);
      expect(await missed(2, generation)).toEqual([generation, [true]]);
    });

    it('includes the cost of requests whose price is known', async () => {
      const request = { type: 'timeline', generation: 0, from: 0 } as const;
      const costs = async (model = unpriced) =>
        (await ask(request, 'timeline', model)).calls.map(({ cost }) => cost);
      expect(await costs()).toEqual([undefined, undefined, undefined]);
      expect((await costs(priced)).at(-1)).toBeCloseTo((350 * 1 + 350 * 0.1 + 5 * 2) / 1_000_000);
    });

    it('sends only new requests, but all requests after the tokenizer changed', async () => {
      const first = await ask({ type: 'timeline', generation: 0, from: 0 }, 'timeline');
      session.transcript = transcriptOf([...entries, ...entriesOf([said('m8', 'more')])]);
      const { generation } = first;
      const next = await ask({ type: 'timeline', generation, from: 3 }, 'timeline');
      expect([next.generation, next.from, next.calls.length]).toEqual([generation, 3, 1]);
      counter = await createMeter();
      const anew = await ask({ type: 'timeline', generation, from: 4 }, 'timeline');
      expect([anew.generation === generation, anew.from, anew.calls.length]).toEqual([false, 0, 4]);
    });

    it('sends the newest requests again, whose exchanges may be recorded later', async () => {
      const exchange = { createdAt: '', outcome: 'complete', duration: 900, messageId: 'm7' } as const;
      session = { ...session, exchanges: [{ ...exchange, messageId: 'm3' }] };
      const { generation } = await ask({ type: 'timeline', generation: 0, from: 0 }, 'timeline');
      session.exchanges = [{ ...exchange, messageId: 'm3' }, exchange];
      const later = await ask({ type: 'timeline', generation, from: 3 }, 'timeline');
      expect(later.calls.map(({ wire }) => wire?.duration)).toEqual([900, undefined, 900]);
    });

    it('reads a long session in parts, with the same result as at once', async () => {
      const long = Array.from({ length: 900 }, (_, index) => [
        typed(`u${index}`, `question ${index}`),
        said(`a${index}`, `answer ${index}`),
      ]).flat();
      session.transcript = transcriptOf(entriesOf(long));
      const { calls } = await ask({ type: 'timeline', generation: 0, from: 0 }, 'timeline');
      expect(calls).toHaveLength(900);
      const last = await meter.measure(session.transcript.view.slice(0, -1));
      const schemas = await meter.measureTools(tools);
      expect(calls.at(-1)!.byKind).toEqual(kinds.map((kind) => last.byKind[kind] + schemas.byKind[kind]));
    });
  });

  describe('the ledger', () => {
    it('lists facts with their current places and their messages', async () => {
      const { facts, total } = await ask({ type: 'facts', filter: { text: '' }, from: 0 }, 'facts');
      expect(facts).toHaveLength(total);
      const store = facts.find(({ text }) => text.includes('src/store.ts'))!;
      expect(store).toMatchObject({ section: 'filesRead', presence: 'archive', sourceCount: 2 });
      expect(store.sources[0]).toMatchObject({ messageId: 'm3', isInView: false, isPinned: false });
      expect(facts.find(({ text }) => text === 'src/lock.ts')).toMatchObject({ presence: 'verbatim' });
    });

    it('is filtered by kind, presence and text, with the counts of all facts', async () => {
      const all = await ask({ type: 'facts', filter: { text: '' }, from: 0 }, 'facts');
      const filter = { kind: 'files', presence: 'archive', text: 'STORE' } as const;
      const some = await ask({ type: 'facts', filter, from: 0 }, 'facts');
      expect(some.facts.map(({ text }) => text.replace('./', ''))).toEqual(['src/store.ts']);
      expect(some.byKind).toEqual(all.byKind);
      expect(some.byKind.files).toEqual({ total: 2, gone: 1 });
    });

    it("begins with the user's marks, and ends with struck sentences", async () => {
      session.transcript = [
        { sentence: 'Find the EBUSY error.', as: 'done' } as const,
        { sentence: 'Never touch the lock file.', as: 'struck' } as const,
      ].reduce((marked, one) => append(marked, markEntry(marked, one, '')!), session.transcript);
      const { facts } = await ask({ type: 'facts', filter: { text: '' }, from: 0 }, 'facts');
      expect([facts[0], facts.at(-1)]).toMatchObject([
        { section: 'marked', text: 'Find the EBUSY error.', mark: { as: 'done' }, sourceCount: 1 },
        { section: 'struck', text: 'Never touch the lock file.', mark: { as: 'struck' } },
      ]);
    });

    it('marks sentences only in a session that can be changed', async () => {
      const request = { type: 'mark-sentence', sentence: 'Find the EBUSY error.', as: 'done' } as const;
      const requests: unknown[] = [];
      const mark = (one: unknown) => Promise.resolve(requests.push(one) > 0);
      await handle(request);
      session = { ...session, mark };
      await handle(request);
      expect(requests).toEqual([request]);
    });

    it('is sent in parts', async () => {
      const reads = Array.from({ length: 130 }, (_, index) =>
        called(`m${index}`, [`a${index}`, 'read_file', { path: `src/f${index}.ts` }]),
      );
      session.transcript = transcriptOf(entriesOf(reads));
      const filter = { kind: 'files', text: '' } as const;
      const first = await ask({ type: 'facts', filter, from: 0 }, 'facts');
      expect([first.facts.length, first.total]).toEqual([100, 130]);
      const rest = await ask({ type: 'facts', filter, from: 100 }, 'facts');
      expect(rest.facts.map(({ text }) => text)).toEqual(
        Array.from({ length: 130 }, (_, index) => `src/f${index}.ts`)
          .toSorted()
          .slice(100),
      );
    });
  });

  describe('the archive', () => {
    it('finds messages in and out of context, with their sizes', async () => {
      const { hits, query } = await ask({ type: 'archive-search', query: 'EBUSY' }, 'archive-hits');
      expect(query).toBe('EBUSY');
      const places = Object.fromEntries(hits.map((hit) => [hit.messageId, hit]));
      expect(places['m4']).toMatchObject({
        isInView: false,
        kind: 'toolResult',
        title: 'read_file ./src/store.ts',
      });
      expect(places['m4']!.tokens).toBeGreaterThan(400);
      expect(places['m2']).toMatchObject({ isInView: true, kind: 'user' });
      const [range] = places['m4']!.ranges;
      expect(places['m4']!.excerpt.slice(range!.start, range!.end)).toBe('EBUSY');
    });

    it('finds at most the requested number of messages, and reports that there are more', async () => {
      const all = await ask({ type: 'archive-search', query: 'store EBUSY' }, 'archive-hits');
      expect(all.hasMore).toBe(false);
      expect(all.hits.length).toBeGreaterThan(1);
      const best = await ask({ type: 'archive-search', query: 'store EBUSY', most: 1 }, 'archive-hits');
      expect(best).toMatchObject({ hits: [all.hits[0]], hasMore: true });
    });

    it('returns the text of a message, and reports if it was cut', async () => {
      const short = await ask({ type: 'archive-text', messageId: 'm2' }, 'archive-text');
      expect([short.text, short.isCut]).toEqual(['Find the EBUSY error. Never touch the lock file.', false]);
      session.transcript = transcriptOf(entriesOf([typed('m1', 'x'.repeat(100_001))]));
      const long = await ask({ type: 'archive-text', messageId: 'm1' }, 'archive-text');
      expect([long.text.length, long.isCut]).toEqual([100_000, true]);
    });
  });
});

/** A file's data about its agent, with only its fullness. */
function foreignWith(fullness: Partial<Fullness>): ForeignSession {
  return {
    agent: undefined,
    model: undefined,
    report: () => Promise.resolve(undefined),
    fullness: () => Promise.resolve({ tokens: 70_000, basis: 'reported', alternatives: [], ...fullness }),
  };
}
