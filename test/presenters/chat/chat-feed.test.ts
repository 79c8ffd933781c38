import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { OpenaiModel } from '../../../src/agent/openai/openai-model.ts';
import { AgentSession } from '../../../src/agent/session/agent-session.ts';
import type { AgentEvent } from '../../../src/agent/session/session-ports.ts';
import { createTools } from '../../../src/agent/tools/catalogue.ts';
import type { CompactionMode } from '../../../src/compaction/service/service-ports.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import { toolResultHiding } from '../../../src/compaction/strategies/tool-result-hiding.ts';
import { ExactCounter } from '../../../src/compaction/tokens/exact-counter.ts';
import { loadTables } from '../../../src/compaction/tokens/token-counter.ts';
import type { PartCounter } from '../../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { batchesOf, ChatFeed } from '../../../src/presenters/chat/chat-feed.ts';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import type { ChatChange, Meter } from '../../../src/protocol/chat.ts';
import { ScriptedServer } from '../../agent/openai/scripted-server.ts';
import { allowAll } from '../../agent/session/session-harness.ts';
import { TemporaryWorkspace } from '../../agent/tools/temporary-workspace.ts';
import { createMeter } from '../../support/engine.ts';
import { said, textOfTokens } from '../../support/messages.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';

describe('the feed of a chat page', () => {
  describe('ChatFeed', () => {
    let exact: UsageMeter;
    let meter: UsageMeter;
    let server: ScriptedServer;
    let workspace: TemporaryWorkspace;
    let session: AgentSession;
    let feed: ChatFeed;
    let changes: ChatChange[];
    /** Bytes of each message to a view while an answer is streamed. */
    let streamed: number[];
    let mode: CompactionMode;

    beforeAll(async () => {
      exact = await createMeter();
    });
    beforeEach(async () => {
      meter = exact;
      server = await ScriptedServer.start();
      workspace = await TemporaryWorkspace.create({ 'a.ts': textOfTokens(400) });
      changes = [];
      streamed = [];
      mode = 'auto';
      const listeners: ((event: AgentEvent) => void)[] = [];
      const model = new OpenaiModel({
        baseUrl: server.baseUrl,
        apiKey: 'key',
        model: 'scripted',
        maxRetries: 0,
      });
      session = new AgentSession(
        { title: undefined, entries: [], tools: [], lastTurn: undefined },
        {
          log: () => Promise.resolve(),
          models: () => Promise.resolve({ chat: model, named: () => model }),
          tools: () => createTools({ workspace: new Workspace([workspace.path]), recall: () => undefined }),
          settings: () => ({
            strategy: toolResultHiding,
            options: resolveOptions(toolResultHiding.options, { preserveRecentGroups: 0 }).options,
            budget: { window: 20_000, triggerRatio: 0.85, targetRatio: 0.5 },
            mode,
            protectFirst: true,
          }),
          meter,
          approvals: allowAll,
          systemPrompt: () => 'rules',
          now: () => 0,
        },
        (event) => {
          for (const listener of listeners) listener(event);
        },
      );
      feed = open();
      listeners.push((event) => feed.handle(event));
    });
    afterEach(async () => {
      session.stop();
      await server.close();
      await workspace[Symbol.asyncDispose]();
    });

    function open(): ChatFeed {
      return new ChatFeed(session, {
        meterOf: () => meter,
        wording: englishWording,
        changed: (added) => {
          changes.push(...added);
          if (added.some(isStreamed))
            streamed.push(bytesOf({ type: 'changes', revision: 1e6, changes: added }));
        },
        failed: (message) => expect.fail(message),
      });
    }

    /** Rows shown by a view that received every change. */
    function shown(): readonly ChatRow[] {
      const rows = new Map<string, ChatRow>();
      for (const change of changes) {
        if (change.type === 'row') rows.set(change.row.id, change.row);
        if (change.type === 'row-removed') rows.delete(change.id);
        if (change.type !== 'text' && change.type !== 'reasoning') continue;
        const row = rows.get(change.id);
        if (row?.type !== 'assistant') continue;
        const grown = change.type === 'text' ? 'markdown' : 'reasoning';
        rows.set(row.id, { ...row, [grown]: row[grown] + change.text });
      }
      return [...rows.values()];
    }

    async function converse(): Promise<void> {
      server.reply(
        { text: 'Let me look.', chunks: 3, toolCalls: [{ name: 'read_file', arguments: { path: 'a.ts' } }] },
        { text: 'It counts to ten.', chunks: 4 },
      );
      await session.send('what is in a.ts?');
      await session.compactNow();
      server.reply({ text: 'Half', then: 'cut' });
      await session.send('and now?');
    }

    it('sends everything that a new page shows', async () => {
      await converse();
      const rows = await feed.allRows();
      expect(shown()).toEqual(rows);
      expect(shown().map(({ type }) => type)).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
        'compaction',
        'user',
        'assistant',
        'error',
      ]);
    });

    it('sends the same when the session is reopened', async () => {
      await converse();
      const rows = await feed.allRows();
      expect(await open().allRows()).toEqual(rows);
    });

    it('updates the meter to the size of the next request', async () => {
      await converse();
      await feed.allRows();
      const meters = changes.flatMap((change): Meter[] =>
        change.type === 'state' && change.state.meter !== undefined ? [change.state.meter] : [],
      );
      expect(meters.at(-1)?.tokens).toBe((await session.compaction.usage()).total);
      expect(meters.at(-1)).toMatchObject({ window: 20_000, trigger: 17_000, isBreakerOpen: false });
    });

    it('reports the tokens of a reply while it is streamed, and repeats no count', async () => {
      const counter = new ExactCounter(await loadTables('o200k_base'));
      meter = new UsageMeter(
        {
          count: (texts) => Promise.resolve(texts.map(counter.count)),
          running: () => Promise.resolve(counter.running()),
        },
        { countsReasoning: true },
      );
      feed.handle({ type: 'activity', activity: 'waiting' });
      for (const text of ['A reply', ' of two parts']) feed.handle({ type: 'text', messageId: 'm9', text });
      await feed.allRows();
      const told = changes.flatMap((change) => (change.type === 'streamed' ? [change.tokens] : []));
      expect(told.at(-1)).toBe((await meter.measure([said('m9', 'A reply of two parts')])).total);
      expect(feed.streamed).toBe(told.at(-1));
      feed.handle({ type: 'entry', entry: { type: 'message', message: said('m9', 'A reply of two parts') } });
      await feed.allRows();
      expect(changes.at(-1)).toMatchObject({ type: 'state', state: { streamed: 0 } });
    });

    it('resets the streamed tokens if the reply ends without a message', async () => {
      const counter: PartCounter = { add: () => {}, total: () => 7 };
      meter = new UsageMeter(
        { count: (texts) => Promise.resolve(texts.map(() => 1)), running: () => Promise.resolve(counter) },
        { countsReasoning: true },
      );
      feed.handle({ type: 'activity', activity: 'waiting' });
      feed.handle({ type: 'text', messageId: 'm9', text: 'A reply' });
      await feed.allRows();
      feed.handle({ type: 'activity', activity: 'idle' });
      await feed.allRows();
      expect(changes.filter(({ type }) => type === 'streamed')).toHaveLength(1);
      expect(changes.at(-1)).toMatchObject({ type: 'state', state: { streamed: 0 } });
    });

    it('reports the start and the end of a question about a compaction', async () => {
      mode = 'ask';
      server.reply({ text: 'Noted.' });
      await session.send(textOfTokens(18_000));
      expect(feed.proposal).toBe('reserve');
      session.compaction.answerProposal();
      await feed.allRows();
      const told = changes.flatMap((change) =>
        change.type === 'state' && change.state.meter === undefined ? [change.state.proposal] : [],
      );
      expect(told.filter((proposal) => proposal !== undefined)).toEqual(['reserve', null]);
    });

    it('withdraws the question if the user changes the mode to one that does not ask', async () => {
      mode = 'ask';
      server.reply({ text: 'Noted.' });
      await session.send(textOfTokens(18_000));
      mode = 'off';
      feed.refreshMeter();
      await feed.allRows();
      expect(changes.at(-1)).toMatchObject({ type: 'state', state: { proposal: null } });
    });

    it.each([
      ['words', 'a word and another '.repeat(500)],
      ['lines of code', '\tconst path = "C:\\\\";\n'.repeat(500)],
      ['Chinese', '压缩之后的上下文'.repeat(500)],
      ['signs beyond the first plane', '🙂'.repeat(2_000)],
    ])('sends a reply that arrives at once in messages below 2 kB: %s', async (_what, text) => {
      server.reply({ text, chunks: 1 });
      await session.send('say a lot');
      const rows = await feed.allRows();
      expect(streamed.length).toBeGreaterThan(4);
      expect(Math.max(...streamed)).toBeLessThan(2_000);
      expect(shown()).toEqual(rows);
      expect(rows.at(-1)).toMatchObject({ type: 'assistant', markdown: text });
    });

    it("sends a model's thinking piece by piece, each in a message below 2 kB", async () => {
      const text = 'a thought and another '.repeat(20);
      for (let piece = 0; piece < 50; piece++) feed.handle({ type: 'reasoning', messageId: 'm1', text });
      const rows = await feed.allRows();
      expect(streamed).toHaveLength(50);
      expect(Math.max(...streamed)).toBeLessThan(2_000);
      expect(shown()).toEqual(rows);
      expect(rows).toMatchObject([{ type: 'assistant', reasoning: text.repeat(50) }]);
    });

    it('sends a new page only the beginnings of results', async () => {
      await workspace.write('long.txt', 'a line of a log\n'.repeat(5_000));
      const call = { name: 'read_file', arguments: { path: 'long.txt' } };
      server.reply(...Array.from({ length: 10 }, () => ({ toolCalls: [call] })), { text: 'Read.' });
      await session.send('read it ten times');
      const rows = await feed.allRows();
      const results = rows.filter(({ type }) => type === 'tool');
      expect(results).toHaveLength(10);
      for (const row of results) {
        expect(row).toMatchObject({ isClipped: true });
        expect(bytesOf(row)).toBeLessThan(2_500);
        expect(feed.outputOf(row.id)!.length).toBeGreaterThan(5_000);
      }
    });

    it('returns the whole result of a call for its row', async () => {
      await converse();
      const tool = (await feed.allRows()).find(({ type }) => type === 'tool');
      expect(feed.outputOf(tool!.id)).toContain(textOfTokens(400));
      expect(feed.outputOf('nothing')).toBeUndefined();
    });
  });

  function isStreamed(change: ChatChange): boolean {
    return (
      change.type === 'text' ||
      change.type === 'reasoning' ||
      (change.type === 'row' && change.row.type === 'assistant' && change.row.state === 'streaming')
    );
  }

  /** Bytes of a value in a message to a view. */
  function bytesOf(value: unknown): number {
    return Buffer.byteLength(JSON.stringify(value));
  }
});

describe('batchesOf', () => {
  /** Bytes of a text in a message, without the quotes around it. */
  function bytesOf(text: string): number {
    return Buffer.byteLength(JSON.stringify(text)) - 2;
  }

  describe('for a streamed text', () => {
    it('returns batches that add up to the text, for any text', () => {
      const pieces = fc.constantFrom('word ', '"', '\\', '\n', '\u0001', 'é', '文', '🙂', '\ud83d', '\ude42');
      fc.assert(
        fc.property(fc.array(pieces, { maxLength: 3_000 }), (parts) => {
          const text = parts.join('');
          const batches = batchesOf(text);
          expect(batches.join('')).toBe(text);
          for (const batch of batches) {
            expect(bytesOf(batch)).toBeGreaterThan(0);
            expect(bytesOf(batch)).toBeLessThanOrEqual(1_600);
          }
        }),
      );
    });

    it('returns one batch for a short text, and no batch for an empty text', () => {
      expect(batchesOf('a few words')).toEqual(['a few words']);
      expect(batchesOf('')).toEqual([]);
    });

    it('returns ten batches for 16,000 characters', () => {
      expect(batchesOf('x'.repeat(16_000))).toHaveLength(10);
    });

    it('splits no character', () => {
      for (const batch of batchesOf(`a${'🙂'.repeat(1_000)}`)) expect(batch).not.toMatch(/\p{Surrogate}/u);
    });
  });
});
