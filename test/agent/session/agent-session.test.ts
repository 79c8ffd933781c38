import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentSession } from '../../../src/agent/session/agent-session.ts';
import type { AgentEvent, SessionPorts } from '../../../src/agent/session/session-ports.ts';
import { createTools } from '../../../src/agent/tools/catalogue.ts';
import { createCompact } from '../../../src/agent/tools/compact-tool.ts';
import type { AgentTool, Tool } from '../../../src/agent/tools/support/tool.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { textOf } from '../../../src/compaction/messages/message.ts';
import type { CompactionSettings } from '../../../src/compaction/service/service-ports.ts';
import { hidingThenSummary } from '../../../src/compaction/strategies/hiding-then-summary.ts';
import { llmSummary } from '../../../src/compaction/strategies/llm-summary.ts';
import type { Strategy } from '../../../src/compaction/strategies/contract/strategy.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { messagesOf, recordsOf } from '../../../src/compaction/transcript/transcript.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { readSession } from '../../../src/transcripts/session/session-format.ts';
import { createMeter, SummaryModelDouble } from '../../support/engine.ts';
import { textOfTokens } from '../../support/messages.ts';
import { modelAt } from '../openai/ask-model.ts';
import type { ScriptedServer } from '../openai/scripted-server.ts';
import { SessionHarness, settingsFor } from './session-harness.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

/** A whole session against a real HTTP server, with real files to read. */
describe('AgentSession', () => {
  let meter: UsageMeter;
  let harness: SessionHarness;
  let session: AgentSession;
  let server: ScriptedServer;
  let workspace: TemporaryWorkspace;
  let settings: CompactionSettings;
  let tools: readonly AgentTool[];
  let summaries: SummaryModelDouble | undefined;

  beforeAll(async () => {
    meter = await createMeter();
  });
  beforeEach(async () => {
    workspace = await TemporaryWorkspace.create({
      'src/lock.ts': textOfTokens(300),
      'notes.md': 'remember the lock',
    });
    settings = settingsFor(llmSummary);
    summaries = undefined;
    tools = createTools({ workspace: new Workspace([workspace.path]), recall: () => undefined });
    harness = await SessionHarness.start(meter, ports());
    ({ session, server } = harness);
  });
  afterEach(async () => {
    await harness[Symbol.asyncDispose]();
    await workspace[Symbol.asyncDispose]();
  });

  const ports = (): Partial<SessionPorts> => ({
    models: () => {
      const model = modelAt(harness.server, { apiKey: 'key' });
      return Promise.resolve({ chat: model, compaction: summaries, named: () => model });
    },
    tools: ({ requestCompaction }) => [...tools, createCompact(requestCompaction)],
    settings: () => settings,
  });

  const within = (window: number, strategy: Strategy = llmSummary, options = {}): CompactionSettings => ({
    ...settingsFor(strategy, options),
    budget: { window, triggerRatio: 0.85, targetRatio: 0.5 },
  });

  const view = () => harness.view;
  const said = () => messagesOf(session.transcript).map((message) => [message.role, textOf(message.content)]);
  const readLock = { name: 'read_file', arguments: { path: 'src/lock.ts' } };
  const readNotes = { name: 'read_file', arguments: { path: 'notes.md' } };

  describe('a turn', () => {
    it('streams an answer and stores it', async () => {
      server.reply({ text: 'Hello there.', chunks: 3 });
      expect(await session.send('hi')).toBe(true);
      expect(view()).toEqual([
        ['system', 'rules'],
        ['user', 'hi'],
        ['assistant', 'Hello there.'],
      ]);
      const streamed = harness.events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
      expect(streamed.join('')).toBe('Hello there.');
      expect(session.title).toBe('hi');
      expect(session.isBusy).toBe(false);
    });

    it('begins with the system message, even after a compaction of the empty chat', async () => {
      await session.compactNow();
      server.reply({ text: 'Hello.' });
      await session.send('hi');
      expect(view()[0]).toEqual(['system', 'rules']);
    });

    it('runs parallel calls and returns their results', async () => {
      server.reply({ toolCalls: [readLock, readNotes] }, { text: 'Done.' });
      await session.send('look');
      const second = await server.request(1);
      expect(second.body.messages.map(({ role }) => role)).toEqual([
        'system',
        'user',
        'assistant',
        'tool',
        'tool',
      ]);
      expect(JSON.stringify(second.body.messages).includes('remember the lock')).toBe(true);
      expect(findViolations(second.body.messages)).toEqual([]);
    });

    it('reports a faulty call to the model, and continues', async () => {
      server.reply(
        {
          toolCalls: [
            { name: 'fly', arguments: {} },
            { name: 'read_file', arguments: '{"path":' },
            { name: 'read_file', arguments: { path: '../secret' } },
          ],
        },
        { text: 'Sorry.' },
      );
      await session.send('look');
      const results = said()
        .filter(([role]) => role === 'tool')
        .map(([, text]) => text);
      expect(results).toHaveLength(3);
      expect(results.join('\n')).toContain('There is no tool fly');
      expect(results.join('\n')).toContain('not a JSON object');
      expect(results.join('\n')).toContain('outside the workspace');
      expect(messagesOf(session.transcript).filter(({ isError }) => isError)).toHaveLength(3);
    });

    it('rejects blank text', async () => {
      expect(await session.send('  ')).toBe(false);
      expect(session.isEmpty).toBe(true);
    });
  });

  describe('the journal', () => {
    it('is written before an entry is shown', async () => {
      server.reply({ toolCalls: [readLock], text: 'Let me look.' }, { text: 'Done.' });
      const shown: number[] = [];
      const seen = harness.events;
      const push = seen.push.bind(seen);
      seen.push = (...added) => {
        for (const event of added) {
          if (event.type === 'entry')
            shown.push(harness.lines.filter(({ type }) => type === 'message').length);
        }
        return push(...added);
      };
      await session.send('look');
      expect(shown).toEqual(shown.map((_, index) => index + 1));
    });

    it('is enough to continue without loss', async () => {
      server.reply({ toolCalls: [readLock] }, { text: 'Done.' });
      await session.send('look');
      const resumed = harness.reopen(ports());
      expect(resumed.transcript.view).toEqual(session.transcript.view);
      // The initial list of tools, which is empty, is in no file.
      expect(resumed.toolHistory).toEqual(session.toolHistory.slice(1));
      expect(resumed.title).toBe('look');
      server.reply({ text: 'Still here.' });
      await resumed.send('and now?');
      expect(resumed.transcript.view.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7']);
    });

    it('keeps a streamed reply even if the program ends in the middle of it', async () => {
      server.reply({ text: 'Half an ans', then: 'silence' });
      const running = session.send('hi');
      await harness.event((event): event is AgentEvent => event.type === 'text');
      const text = harness.lines.map((line) => JSON.stringify(line)).join('\n');
      expect(readSession(text).unfinished?.text).toBe('Half an ans');
      session.stop();
      await running;
    });

    it('ends the turn if it cannot be written', async () => {
      server.reply({ text: 'Hello.' });
      const failing = harness.open(
        { title: undefined, entries: [], tools: [], lastTurn: undefined },
        { log: () => Promise.reject(new Error('no space left')) },
      );
      await expect(failing.send('hi')).rejects.toThrow('no space left');
      expect(failing.transcript.entries).toEqual([]);
      expect(failing.isBusy).toBe(false);
    });
  });

  describe('stop', () => {
    it('closes the connection and keeps the reply so far', async () => {
      server.reply({ text: 'Half an ans', then: 'silence' });
      const running = session.send('hi');
      await harness.event((event): event is AgentEvent => event.type === 'text');
      session.stop();
      await running;
      expect(await (await server.request(0)).closed).toBe('client');
      expect(session.transcript.view.at(-1)).toMatchObject({ content: 'Half an ans', interrupted: true });
      expect(session.lastTurn).toMatchObject({ outcome: 'stopped' });
    });

    it('stops tools, and marks the call as interrupted in the view', async () => {
      let started = () => {};
      const running = new Promise<void>((resolve) => (started = resolve));
      const slow: Tool = {
        name: 'slow',
        schema: { type: 'function', function: { name: 'slow' } },
        describe: () => '',
        run: (_input, signal) =>
          new Promise((_resolve, reject) => {
            started();
            signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
          }),
      };
      tools = [slow];
      server.reply({ toolCalls: [{ name: 'slow', arguments: {} }] });
      const turn = session.send('look');
      await running;
      session.stop();
      await turn;
      expect(view().at(-1)).toEqual(['tool', expect.stringMatching(/^No result: the call was interrupted/)]);
      server.reply({ text: 'Fine.' });
      await session.send('never mind');
      expect(findViolations(server.requests.at(-1)!.body.messages)).toEqual([]);
    });
  });

  describe('an error', () => {
    it.each([
      ['401', { status: 401, body: { error: { message: 'bad key' } } }, 'key'],
      ['429', { status: 429, body: { error: { message: 'slow down' } } }, 'slow down'],
      ['500', { status: 500, body: { error: { message: 'oops' } } }, 'oops'],
      ['a cut stream', { text: 'Half', then: 'cut' }, ''],
      ['invalid SSE', { text: 'Half', then: { raw: 'data: {"cho\n\n' } }, ''],
      ['an empty reply', { text: '' }, 'empty reply'],
    ] as const)(
      'ends the turn with a clear message after %s, and Retry continues',
      async (_name, reply, words) => {
        server.reply(reply);
        await session.send('hi');
        expect(session.lastTurn?.outcome).toBe('failed');
        expect(session.lastTurn!.message.length).toBeGreaterThan(10);
        expect(session.lastTurn!.message).toContain(words);
        expect(messagesOf(session.transcript)[1]).toMatchObject({ content: 'hi' });

        server.reply({ text: 'Here I am.' });
        await session.retry();
        expect(session.lastTurn).toBeUndefined();
        expect(view().at(-1)).toEqual(['assistant', 'Here I am.']);
        expect(findViolations(server.requests.at(-1)!.body.messages)).toEqual([]);
        expect(server.requests.at(-1)!.body.messages.at(-1)!.role).toBe('user');
      },
    );
  });

  describe('compaction', () => {
    const fillUp = async (turns: number, tokens: number) => {
      for (let turn = 0; turn < turns; turn++) {
        server.reply({ text: textOfTokens(tokens) });
        await session.send(`turn ${turn}`);
      }
    };

    it('starts automatically before a request that would be too large', async () => {
      settings = within(4_000);
      await fillUp(3, 800);
      server.reply({ text: '<summary>what happened</summary>' }, { text: 'Going on.' });
      await session.send(`next: ${textOfTokens(600)}`);
      const record = recordsOf(session.transcript).find(({ status }) => status === 'applied');
      expect(record).toMatchObject({ actualStrategy: 'llm-summary', trigger: { source: 'reserve' } });
      expect(view().flat().join(' ')).toContain('what happened');
      expect(view().at(-1)).toEqual(['assistant', 'Going on.']);
    });

    it('uses the strategy in the settings when it runs', async () => {
      settings = within(4_000);
      server.replyWith(({ lastText }) => ({
        text: lastText.includes('Write the notes') ? '<summary>notes</summary>' : textOfTokens(700),
      }));
      await session.send('one');
      settings = within(4_000, hidingThenSummary, { minFreedTokens: 0 });
      for (const text of ['two', 'three', 'four', 'five']) await session.send(text);
      expect(recordsOf(session.transcript).map(({ requestedStrategy }) => requestedStrategy)).toContain(
        'hiding-then-summary',
      );
      expect(recordsOf(session.transcript).map(({ requestedStrategy }) => requestedStrategy)).not.toContain(
        'llm-summary',
      );
    });

    it("runs before the next model call on the agent's request", async () => {
      summaries = new SummaryModelDouble('<summary>notes</summary>');
      await fillUp(4, 100);
      server.reply(
        { toolCalls: [{ name: 'compact', arguments: { focus: 'the lock' } }] },
        { text: 'On to the next step.' },
      );
      await session.send('that part is done');
      expect(recordsOf(session.transcript)).toMatchObject([
        { status: 'applied', trigger: { source: 'agent' }, focus: 'the lock' },
      ]);
      expect(view().at(-1)).toEqual(['assistant', 'On to the next step.']);
      expect(findViolations(session.transcript.view)).toEqual([]);
    });

    it('lets the compaction model write summaries if one is set', async () => {
      summaries = new SummaryModelDouble('<summary>notes</summary>');
      await fillUp(4, 100);
      await session.compactNow();
      expect(summaries.requests).toHaveLength(1);
      expect(recordsOf(session.transcript)).toMatchObject([
        { status: 'applied', summary: { model: 'double' } },
      ]);
    });

    it('waits for the user if settings say so, while the chat continues', async () => {
      settings = { ...within(4_000), mode: 'ask' };
      await fillUp(4, 850);
      expect(recordsOf(session.transcript)).toEqual([]);
      expect(session.compaction.proposal).toBeDefined();
      server.replyWith(() => ({ text: '<summary>notes</summary>' }));
      await session.compactNow();
      expect(recordsOf(session.transcript)).toMatchObject([{ status: 'applied' }]);
      expect(session.compaction.proposal).toBeUndefined();
    });

    it('recovers from an overflow with one forced compaction and one retry', async () => {
      await fillUp(4, 800);
      const overflow = {
        status: 400,
        body: {
          error: {
            code: 'context_length_exceeded',
            message:
              "This model's maximum context length is 2500 tokens. However, your messages resulted in 3300 tokens.",
          },
        },
      };
      server.reply(overflow, { text: '<summary>notes</summary>' }, { text: 'Recovered.' });
      await session.send('next');
      expect(view().at(-1)).toEqual(['assistant', 'Recovered.']);
      expect(recordsOf(session.transcript).at(-1)).toMatchObject({
        status: 'applied',
        trigger: { source: 'overflow', requirement: 'hard' },
      });
    });

    it("shows the provider's own error when it overflows again", async () => {
      await fillUp(4, 800);
      const overflow = {
        status: 400,
        body: { error: { message: 'prompt is too long: 9000 tokens > 2000 maximum' } },
      };
      server.reply(overflow, { text: '<summary>notes</summary>' }, overflow);
      await session.send('next');
      expect(session.lastTurn?.message).toContain('9000');
      expect(server.requests).toHaveLength(4 + 3);
    });

    it('waits between two model calls if requested during a turn', async () => {
      await fillUp(3, 500);
      server.reply({ toolCalls: [readNotes] }, { text: '<summary>notes</summary>' }, { text: 'Done.' });
      const turn = session.send('look');
      await server.request(3);
      const record = await session.compactNow();
      await turn;
      expect(record.status).toBe('applied');
      const ids = messagesOf(session.transcript).map(({ id }) => id);
      const position = session.transcript.entries.findIndex(({ type }) => type === 'compaction');
      const before = session.transcript.entries.slice(0, position).filter(({ type }) => type === 'message');
      expect(ids.length).toBeGreaterThan(before.length);
      expect(findViolations(session.transcript.view)).toEqual([]);
    });

    it('can be undone, which restores the view exactly', async () => {
      await fillUp(3, 500);
      const before = JSON.stringify(session.transcript.view);
      server.reply({ text: '<summary>notes</summary>' });
      const record = await session.compactNow({ focus: 'the lock' });
      expect(server.requests.at(-1)!.lastText).toContain('the lock');
      expect(JSON.stringify(session.transcript.view)).not.toBe(before);
      await session.undo(record.id);
      expect(JSON.stringify(session.transcript.view)).toBe(before);
    });

    it('is stopped by Stop', async () => {
      await fillUp(3, 500);
      server.reply({ hang: true });
      const compacting = session.compactNow();
      await server.request(3);
      session.stop();
      expect((await compacting).status).toBe('cancelled');
      expect(await (await server.request(3)).closed).toBe('client');
    });
  });
});
