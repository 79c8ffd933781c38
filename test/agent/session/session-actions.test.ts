import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalRequest, ApprovalRule } from '../../../src/agent/approvals/approval-request.ts';
import type { AgentEvent } from '../../../src/agent/session/session-ports.ts';
import { defineActingTool, defineTool } from '../../../src/agent/tools/support/define-tool.ts';
import { ok, type AgentTool, type ProposedAction } from '../../../src/agent/tools/support/tool.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { createMeter } from '../../support/engine.ts';
import { allowAll, SessionHarness } from './session-harness.ts';
import { said } from '../../support/sentences.ts';

type ApprovalEvent = Extract<AgentEvent, { type: 'approval' }>;

/** The exchange between the agent, which wants to act, and the user, who approves or rejects. */
describe('an agent that acts', () => {
  let meter: UsageMeter;
  let harness: SessionHarness;
  let done: string[];
  let allowed: ApprovalRule[];
  let waits: { readonly began: Promise<void>; readonly begin: () => void };

  beforeAll(async () => {
    meter = await createMeter();
  });
  beforeEach(async () => {
    done = [];
    allowed = [];
    let begin = () => {};
    const began = new Promise<void>((resolve) => (begin = resolve));
    waits = { began, begin };
    harness = await SessionHarness.start(meter, {
      tools: () => tools,
      approvals: {
        isAllowed: ({ rule }) => allowed.some(({ pattern }) => pattern === rule?.pattern),
        allow: (rule) => void allowed.push(rule),
      },
    });
    return () => harness[Symbol.asyncDispose]();
  });

  const actionOf = (name: string, work: ProposedAction['perform']): ProposedAction => ({
    approval: {
      kind: 'command',
      title: said(`Do ${name}`),
      details: name,
      patterns: [name],
      rule: { kind: 'command', pattern: 'do' },
    },
    perform: work,
  });
  const act = defineActingTool({
    name: 'act',
    description: '',
    properties: { name: { type: 'string' } },
    required: ['name'],
    describe: ({ name = '' }) => name,
    propose: ({ name }) =>
      actionOf(name, ({ progress }) => {
        progress(`doing ${name}`);
        done.push(name);
        return Promise.resolve({ ...ok(`did ${name}`), summary: said('well done') });
      }),
  });
  const wait = defineActingTool({
    name: 'wait',
    description: '',
    properties: {},
    required: [],
    describe: () => '',
    propose: () =>
      actionOf('wait', ({ signal }) => {
        waits.begin();
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(ok('stopped, had waited')));
        });
      }),
  });
  const look = defineTool({
    name: 'look',
    description: '',
    properties: {},
    required: [],
    describe: () => '',
    run: () => ok(`done so far: ${done.join(', ')}`),
  });
  const peek = defineTool({
    name: 'peek',
    description: '',
    properties: {},
    required: [],
    describe: () => '',
    approvalOf: () => Promise.resolve({ kind: 'read', title: said('Read .env'), details: '', patterns: [] }),
    run: (_values, _signal, isGranted) => ok(isGranted ? 'a secret' : 'nobody was asked'),
  });
  const tools: readonly AgentTool[] = [act, wait, look, peek];

  const isQuestion = (event: AgentEvent): event is ApprovalEvent & { request: ApprovalRequest } =>
    event.type === 'approval' && event.request !== undefined;
  const questions = () => harness.events.filter(isQuestion);
  const call = (name: string, input: object = {}) => ({ name, arguments: input });

  describe('if it has to ask', () => {
    it('does nothing until it is allowed, then acts', async () => {
      harness.server.reply({ toolCalls: [call('act', { name: 'a' })] }, { text: 'Done.' });
      const turn = harness.session.send('do it');
      const { callKey, request } = await harness.event(isQuestion);
      expect({ callKey, title: request.title.english, done: [...done] }).toEqual({
        callKey: 'm3:0',
        title: 'Do a',
        done: [],
      });
      expect(harness.session.activity).toBe('approval');
      await harness.session.approvals.decide(callKey, { isAllowed: true, scope: 'once' });
      await turn;
      expect(done).toEqual(['a']);
      expect(harness.view.slice(-2)).toEqual([
        ['tool', 'did a'],
        ['assistant', 'Done.'],
      ]);
      const [result] = messagesOf(harness.session.transcript).filter(({ role }) => role === 'tool');
      expect(result?.outcome).toEqual({
        summary: 'well done',
        sentence: { key: 'test.said', values: {} },
      });
      expect(harness.events).toContainEqual({ type: 'output', callKey, text: 'doing a' });
    });

    it("passes the user's reason for a refusal to the model, and continues", async () => {
      harness.server.reply({ toolCalls: [call('act', { name: 'a' })] }, { text: 'As you like.' });
      const turn = harness.session.send('do it');
      const { callKey } = await harness.event(isQuestion);
      await harness.session.approvals.decide(callKey, { isAllowed: false, feedback: 'Use b instead.' });
      await turn;
      expect(done).toEqual([]);
      expect(harness.view.at(-2)![1]).toBe(
        'The user did not allow this, and nothing was done. They said: Use b instead.',
      );
      const [result] = messagesOf(harness.session.transcript).filter(({ role }) => role === 'tool');
      expect(result).toMatchObject({ isError: true, outcome: { end: 'refused' } });
    });

    it.each([
      [{ isAllowed: true, scope: 'once' }, 'a secret'],
      [
        { isAllowed: false, feedback: 'No.' },
        'The user did not allow this, and nothing was done. They said: No.',
      ],
    ] as const)('asks before it reads a secret: %o', async (decision, result) => {
      harness.server.reply({ toolCalls: [call('peek')] }, { text: 'Done.' });
      const turn = harness.session.send('look');
      const { callKey, request } = await harness.event(isQuestion);
      expect(request).toMatchObject({ kind: 'read', title: said('Read .env') });
      await harness.session.approvals.decide(callKey, decision);
      await turn;
      expect(harness.view.at(-2)).toEqual(['tool', result]);
    });

    it('asks again after "once", but not after "this session"', async () => {
      const again = { toolCalls: [call('act', { name: 'a' })] };
      harness.server.reply(again, again, again, { text: 'Done.' });
      const turn = harness.session.send('do it three times');
      await harness.event(isQuestion);
      await harness.session.approvals.decide('m3:0', { isAllowed: true, scope: 'once' });
      await harness.event((event): event is ApprovalEvent => isQuestion(event) && event.callKey === 'm5:0');
      await harness.session.approvals.decide('m5:0', { isAllowed: true, scope: 'session' });
      await turn;
      expect(questions()).toHaveLength(2);
      expect(done).toEqual(['a', 'a', 'a']);
    });

    it('ignores an answer without a question', async () => {
      expect(await harness.session.approvals.decide('m9:0', { isAllowed: true, scope: 'once' })).toBe(false);
    });

    it('is stopped with the turn, and the view shows that nothing was done', async () => {
      harness.server.reply({ toolCalls: [call('act', { name: 'a' })] });
      const turn = harness.session.send('do it');
      const { callKey } = await harness.event(isQuestion);
      harness.session.stop();
      await turn;
      expect(done).toEqual([]);
      expect(harness.session.approvals.requestOf(callKey)).toBeUndefined();
      expect(harness.view.at(-1)![1]).toMatch(/^No result: the call was interrupted/);
    });
  });

  describe('with a batch of calls', () => {
    beforeEach(() => {
      harness.open(
        { title: undefined, entries: [], tools: [], lastTurn: undefined },
        { tools: () => tools, approvals: allowAll },
      );
    });

    it('acts in the order of the calls, and later reads see earlier actions', async () => {
      harness.server.reply(
        { toolCalls: [call('look'), call('act', { name: 'a' }), call('look'), call('act', { name: 'b' })] },
        { text: 'Done.' },
      );
      await harness.session.send('go');
      const results = harness.view.flatMap(([role, text]) => (role === 'tool' ? [text] : []));
      expect(results).toEqual(['done so far: ', 'did a', 'done so far: a', 'did b']);
    });

    it('continues with the rest when one action is stopped alone', async () => {
      harness.server.reply({ toolCalls: [call('wait'), call('act', { name: 'a' })] }, { text: 'Done.' });
      const turn = harness.session.send('go');
      await waits.began;
      harness.session.stops.stop('m3:0');
      await turn;
      expect(harness.view.slice(-3)).toEqual([
        ['tool', 'stopped, had waited'],
        ['tool', 'did a'],
        ['assistant', 'Done.'],
      ]);
      expect(harness.session.lastTurn).toBeUndefined();
    });

    it('keeps the results of an action when the whole turn is stopped', async () => {
      harness.server.reply({ toolCalls: [call('wait'), call('act', { name: 'a' })] });
      const turn = harness.session.send('go');
      await waits.began;
      harness.session.stop();
      await turn;
      expect(done).toEqual([]);
      expect(harness.view.slice(-2)).toEqual([
        ['tool', 'stopped, had waited'],
        ['tool', expect.stringMatching(/^No result/)],
      ]);
    });
  });

  describe('while the user types messages', () => {
    beforeEach(() => {
      harness.open(
        { title: undefined, entries: [], tools: [], lastTurn: undefined },
        { tools: () => tools, approvals: allowAll },
      );
    });

    it('reads them before its next model call', async () => {
      harness.server.reply({ toolCalls: [call('wait')] }, { text: 'As you say.' });
      const turn = harness.session.send('go');
      await waits.began;
      expect(await harness.session.send('and b')).toBe(true);
      expect(harness.session.queue.all.map(({ text }) => text)).toEqual(['and b']);
      harness.session.stops.stop('m3:0');
      await turn;
      expect(harness.view.slice(-3)).toEqual([
        ['tool', 'stopped, had waited'],
        ['user', 'and b'],
        ['assistant', 'As you say.'],
      ]);
      expect(harness.session.queue.all).toEqual([]);
      for (const { body } of harness.server.requests) expect(findViolations(body.messages)).toEqual([]);
    });

    it('answers a message that arrived during its last reply', async () => {
      let finish = () => {};
      const held = new Promise<void>((resolve) => (finish = resolve));
      async function* slowly() {
        yield 'First ';
        await held;
        yield 'answer.';
      }
      harness.server.reply({ text: slowly() }, { text: 'Second answer.' });
      const turn = harness.session.send('first');
      await harness.event((event): event is AgentEvent => event.type === 'text');
      await harness.session.send('second');
      finish();
      await turn;
      await harness.event(
        (event): event is AgentEvent =>
          event.type === 'entry' &&
          event.entry.type === 'message' &&
          event.entry.message.content === 'Second answer.',
      );
      expect(harness.view.slice(-3)).toEqual([
        ['assistant', 'First answer.'],
        ['user', 'second'],
        ['assistant', 'Second answer.'],
      ]);
    });

    it('returns them to the user when it is stopped', async () => {
      harness.server.reply({ hang: true });
      const turn = harness.session.send('go');
      await harness.server.request(0);
      await harness.session.send('one');
      await harness.session.send('two');
      harness.session.stop();
      await turn;
      expect(harness.events).toContainEqual({ type: 'unsaid', text: 'one\n\ntwo' });
      expect(harness.session.queue.all).toEqual([]);
    });

    it('keeps them when the model fails, and reads them on Retry', async () => {
      harness.server.reply(
        { toolCalls: [call('wait')] },
        { status: 400, body: { error: { message: 'no' } } },
      );
      const turn = harness.session.send('go');
      await waits.began;
      await harness.session.send('one');
      harness.session.stops.stop('m3:0');
      await turn;
      expect(harness.session.lastTurn?.outcome).toBe('failed');
      harness.server.reply({ text: 'Yes.' });
      await harness.session.retry();
      expect(harness.view.slice(-2)).toEqual([
        ['user', 'one'],
        ['assistant', 'Yes.'],
      ]);
    });

    it('lets the user remove a message', async () => {
      harness.server.reply({ hang: true });
      const turn = harness.session.send('go');
      await harness.server.request(0);
      await harness.session.send('one');
      const [queued] = harness.session.queue.all;
      expect(await harness.session.queue.remove(queued!.id)).toBe('one');
      expect(await harness.session.queue.remove(queued!.id)).toBeUndefined();
      harness.session.stop();
      await turn;
    });

    it('still has them after a crash', async () => {
      harness.server.reply({ hang: true });
      const crashed = harness.session.send('go');
      await harness.server.request(0);
      await harness.session.send('one');
      const before = harness.session;
      const reopened = harness.reopen({ tools: () => tools });
      expect(reopened.queue.all.map(({ text }) => text)).toEqual(['one']);
      before.stop();
      await crashed;
      harness.server.reply({ text: 'Both.' });
      await reopened.send('two');
      expect(harness.view.slice(-3)).toEqual([
        ['user', 'one'],
        ['user', 'two'],
        ['assistant', 'Both.'],
      ]);
    });
  });
});
