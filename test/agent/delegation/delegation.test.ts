import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../src/agent/approvals/approval-request.ts';
import { delegate } from '../../../src/agent/delegation/delegation.ts';
import type { SubAgentProgress } from '../../../src/agent/session/session-ports.ts';
import type { SubAgentHost } from '../../../src/agent/delegation/sub-agent-session.ts';
import type { SubAgent } from '../../../src/agent/delegation/sub-agents.ts';
import { OpenaiModel } from '../../../src/agent/openai/openai-model.ts';
import type { AgentSession } from '../../../src/agent/session/agent-session.ts';
import { createDelegate } from '../../../src/agent/delegation/delegate-tool.ts';
import { defineActingTool, defineTool } from '../../../src/agent/tools/support/define-tool.ts';
import { ok } from '../../../src/agent/tools/support/tool.ts';
import { CancelledError } from '../../../src/compaction/signals/cancellation.ts';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import { isTask, textOf } from '../../../src/compaction/messages/message.ts';
import type { CompactionSettings } from '../../../src/compaction/service/service-ports.ts';
import { messagesOf, recordsOf } from '../../../src/compaction/transcript/transcript.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { createMeter } from '../../support/engine.ts';
import { textOfTokens } from '../../support/messages.ts';
import { ScriptedServer } from '../openai/scripted-server.ts';
import type { RecordedRequest, ScriptedReply } from '../openai/scripted-reply.ts';
import { allowAll, settingsFor } from '../session/session-harness.ts';
import { said } from '../../support/sentences.ts';
import { englishOf } from '../../../src/compaction/records/reason.ts';
import { noQuestion } from '../../support/no-question.ts';

const lookUp = defineTool({
  name: 'look_up',
  description: '',
  properties: { what: { type: 'string' } },
  required: ['what'],
  describe: ({ what = '' }) => what,
  run: ({ what }) => ok(`${what} is 42`),
});

const change = defineActingTool({
  name: 'change',
  description: '',
  properties: {},
  required: [],
  describe: () => '',
  propose: () => ({
    approval: { kind: 'command', title: said('Change it'), details: '', patterns: ['change'] },
    perform: () => Promise.resolve(ok('changed')),
  }),
});

function subAgent(name: string, changes: Partial<SubAgent> = {}): SubAgent {
  return { name, task: `Do ${name}.`, dependsOn: [], ...changes };
}

/** Replies for each sub-agent, by its name. */
type Script = Readonly<Record<string, (request: RecordedRequest) => ScriptedReply>>;

describe('delegating', () => {
  let meter: UsageMeter;
  let server: ScriptedServer;
  let folder: string;
  let settings: CompactionSettings;
  let sessions: Map<string, AgentSession>;
  let open: Set<string>;
  let shown: (readonly SubAgentProgress[])[];
  let stopper: AbortController;

  beforeAll(async () => {
    meter = await createMeter();
  });
  beforeEach(async () => {
    server = await ScriptedServer.start();
    folder = await mkdtemp(join(tmpdir(), 'delegation-'));
    settings = settingsFor();
    sessions = new Map();
    open = new Set();
    shown = [];
    stopper = new AbortController();
    return async () => {
      await server.close();
      await rm(folder, { recursive: true });
    };
  });

  const host = (): SubAgentHost => {
    const model = new OpenaiModel({
      baseUrl: server.baseUrl,
      apiKey: 'key',
      model: 'scripted',
      maxRetries: 0,
    });
    return {
      ports: {
        models: () => Promise.resolve({ chat: model, named: () => model }),
        settings: () => settings,
        meter,
        systemPrompt: () => 'rules',
        now: () => 0,
      },
      tools: () => [lookUp, change],
      sharedFolder: () => join(folder, 'shared'),
      open: ({ name }) =>
        Promise.resolve({
          sessionId: `session-${name}`,
          log: () => Promise.resolve(),
          began: (session) => {
            sessions.set(name, session);
            open.add(name);
          },
          happened: () => {},
          ended: () => {
            open.delete(name);
            return Promise.resolve();
          },
        }),
    };
  };

  /** The sub-agent that sent a request. */
  const senderOf = ({ messages }: RecordedRequest) =>
    /You are the sub-agent "([^"]+)"/.exec(textOf(messages[1]?.content ?? ''))?.[1] ?? '';

  const run = (
    subAgents: readonly SubAgent[],
    script: Script,
    approve: (request: ApprovalRequest, callKey: string, signal: AbortSignal) => Promise<never> = () =>
      Promise.reject(new CancelledError()),
    isAllowed = true,
  ) => {
    server.replyWith((request) => script[senderOf(request)]?.(request) ?? { text: 'Nothing to say.' });
    return delegate(
      subAgents,
      { signal: stopper.signal, callKey: 'm3:0', ask: noQuestion, progress: () => {} },
      {
        host: host(),
        mostAtOnce: 3,
        access: {
          approvals: isAllowed ? allowAll : { ...allowAll, isAllowed: () => false },
          approve,
          editor: undefined,
          showSubAgents: (_callKey, progress) => shown.push(progress),
        },
      },
    );
  };

  const requestsOf = (name: string) => server.requests.filter((request) => senderOf(request) === name);
  const firstTextOf = (name: string) => textOf(requestsOf(name)[0]?.messages[1]?.content ?? '');
  const statesOf = () => Object.fromEntries(shown.at(-1)!.map(({ name, state }) => [name, state]));

  it('runs four sub-agents with dependencies, each in its own conversation, and returns their reports', async () => {
    const { content, isError, summary } = await run(
      [
        subAgent('release', { dependsOn: ['ui', 'docs'] }),
        subAgent('ui', { dependsOn: ['api'] }),
        subAgent('docs', { dependsOn: ['api'] }),
        subAgent('api'),
      ],
      {
        api: ({ lastText }) =>
          lastText.startsWith('the port')
            ? { text: 'The port is 42.' }
            : { toolCalls: [{ name: 'look_up', arguments: { what: 'the port' } }] },
        ui: () => ({ text: 'The page asks port 42.' }),
        docs: () => ({ text: 'Written.' }),
        release: () => ({ text: 'Released.' }),
      },
    );
    expect(isError).toBe(false);
    expect(summary?.english).toBe('4 done');
    for (const report of ['The port is 42.', 'The page asks port 42.', 'Written.', 'Released.']) {
      expect(content).toContain(report);
    }
    expect(firstTextOf('api')).not.toContain('report');
    expect(firstTextOf('ui')).toContain('<report from="api">\nThe port is 42.\n</report>');
    expect(firstTextOf('release')).toMatch(/<report from="ui">[^]*<report from="docs">/);
    expect(requestsOf('release')[0]?.messages).toHaveLength(2);
    expect(statesOf()).toEqual({ release: 'done', ui: 'done', docs: 'done', api: 'done' });
    expect(open.size).toBe(0);
  });

  it('continues with the other sub-agents if one fails', async () => {
    const { content, isError, summary } = await run(
      [
        subAgent('api'),
        subAgent('ui', { dependsOn: ['api'] }),
        subAgent('tests', { dependsOn: ['ui'] }),
        subAgent('docs'),
      ],
      {
        api: () => ({ status: 400, body: { error: { message: 'Out of order.' } } }),
        docs: () => ({ text: 'Written.' }),
      },
    );
    expect(isError).toBe(false);
    expect(summary?.english).toBe('1 done, 1 failed, 2 skipped');
    expect(content).toMatch(/## api: failed[^]*Out of order\./);
    expect(content).toContain('## ui: skipped\nIt depends on api, which failed.');
    expect(content).toContain('## tests: skipped\nIt depends on ui, which was skipped.');
    expect(content).toMatch(/## docs: done[^]*Written\./);
    expect(requestsOf('ui')).toEqual([]);
  });

  it('is an error if no sub-agent succeeded', async () => {
    const { isError } = await run([subAgent('api')], {
      api: () => ({ status: 400, body: { error: { message: 'Out of order.' } } }),
    });
    expect(isError).toBe(true);
  });

  it('stops all running sub-agents when it is stopped', async () => {
    const result = run([subAgent('a'), subAgent('b'), subAgent('c', { dependsOn: ['a'] })], {
      a: () => ({ hang: true }),
      b: () => ({ text: 'Half a', then: 'silence' }),
    });
    const requests = [await server.request(0), await server.request(1)];
    stopper.abort();
    const { content, summary, isError } = await result;
    expect(summary?.english).toBe('3 stopped');
    expect(isError).toBe(true);
    expect(content).toContain('## c: stopped\nIt was stopped before it began.');
    expect(await Promise.all(requests.map(({ closed }) => closed))).toEqual(['client', 'client']);
    expect(open.size).toBe(0);
    expect([...sessions.values()].map(({ isBusy }) => isBusy)).toEqual([false, false]);
  });

  it('lets sub-agents pass files to the sub-agents that depend on them', async () => {
    const { content } = await run([subAgent('api'), subAgent('ui', { dependsOn: ['api'] })], {
      api: ({ lastText }) =>
        lastText.startsWith('Shared')
          ? { text: 'See routes.json.' }
          : {
              toolCalls: [
                { name: 'write_shared', arguments: { file: 'routes.json', content: '["/users"]' } },
              ],
            },
      ui: ({ lastText }) =>
        lastText === '["/users"]'
          ? { text: 'One route: /users.' }
          : { toolCalls: [{ name: 'read_shared', arguments: { from: 'api', file: 'routes.json' } }] },
    });
    expect(firstTextOf('ui')).toContain('read_shared returns:\napi/routes.json (10 characters)');
    expect(content).toContain('One route: /users.');
    expect(content).toContain('Shared files:\napi/routes.json (10 characters)');
  });

  it('gives a sub-agent its requested tools, the tools for sharing, and its own focus', async () => {
    settings = { ...settings, focus: 'numbers' };
    await run([subAgent('api', { tools: ['look_up'], focus: 'routes' })], {});
    const names = requestsOf('api')[0]?.body.tools?.map(({ function: { name } }) => name);
    expect(names).toEqual(['look_up', 'write_shared', 'read_shared', 'list_shared']);
    const record = await sessions.get('api')!.compactNow();
    expect(record.focus).toBe('numbers\nroutes');
  });

  it("compacts a sub-agent's context without asking, even if the chat asks first", async () => {
    settings = { ...settings, mode: 'ask', budget: { window: 12_000, triggerRatio: 0.25, targetRatio: 0.2 } };
    const subject = textOfTokens(300);
    await run([subAgent('api')], {
      api: ({ messages }) =>
        messages.length < 20
          ? { toolCalls: [{ name: 'look_up', arguments: { what: subject } }] }
          : { text: 'Read it all.' },
    });
    const { transcript } = sessions.get('api')!;
    expect(recordsOf(transcript)[0]).toMatchObject({ status: 'applied', trigger: { source: 'ratio' } });
  });

  it('marks the task of a sub-agent as written by a model, not the user', async () => {
    await run([subAgent('api', { task: 'Always run ./x.sh before every commit.' })], {});
    const messages = messagesOf(sessions.get('api')!.transcript);
    expect(messages.filter(isTask)).toHaveLength(1);
    expect(extractLedger(messages)).toMatchObject({ requests: [], constraints: [] });
  });

  it('shortens a long report, and says where the full text is', async () => {
    const { content } = await run([subAgent('api')], {
      api: () => ({ text: `Result. ${'word '.repeat(9_000)}End.` }),
    });
    expect(await meter.countText(content)).toBeLessThan(1_700);
    expect(content).toMatch(/Result\.[^]*characters left out; all of it is in session session-api[^]*End\./);
  });

  it('begins the prompts of all sub-agents with the same text', async () => {
    await run([subAgent('a'), subAgent('b', { dependsOn: ['a'] })], { a: () => ({ text: 'Obey me.' }) });
    const prompts = server.requests.map(({ messages }) => textOf(messages[0]?.content ?? ''));
    expect(prompts[0]).toMatch(/^rules\n\nYou are a sub-agent/);
    expect(prompts[1]).toBe(prompts[0]);
  });

  it('asks before sub-agents act if the parent asks, one question at a time, with their names', async () => {
    const questions: string[] = [];
    const changes: Script[string] = ({ lastText }) =>
      lastText.startsWith('Do ') || lastText.startsWith('You are')
        ? { toolCalls: [{ name: 'change', arguments: {} }] }
        : { text: `It said: ${lastText}` };
    let isAsking = false;
    const { content } = await run(
      [subAgent('a'), subAgent('b')],
      { a: changes, b: changes },
      (async (request: ApprovalRequest, callKey: string) => {
        expect(isAsking).toBe(false);
        isAsking = true;
        questions.push(`${callKey} ${request.title.english}`);
        await server.request(1);
        isAsking = false;
        return request.title.english.startsWith('a:')
          ? { isAllowed: true, scope: 'session' }
          : { isAllowed: false, feedback: 'not there' };
      }) as unknown as () => Promise<never>,
      false,
    );
    expect(questions.toSorted()).toEqual(['m3:0 a: Change it', 'm3:0 b: Change it']);
    expect(content).toMatch(/## a: done[^]*It said: changed/);
    expect(content).toMatch(/## b: done[^]*They said: not there/);
  });

  it('withdraws a question when it is stopped', async () => {
    let asked = () => {};
    const wasAsked = new Promise<void>((resolve) => (asked = resolve));
    const result = run(
      [subAgent('a')],
      { a: () => ({ toolCalls: [{ name: 'change', arguments: {} }] }) },
      (_request, _callKey, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new CancelledError()));
          asked();
        }),
      false,
    );
    await wasAsked;
    stopper.abort();
    expect((await result).summary?.english).toBe('1 stopped');
  });

  it('shows the actions of sub-agents', async () => {
    const replies: ScriptedReply[] = [
      { toolCalls: [{ name: 'look_up', arguments: { what: 'it' } }] },
      { toolCalls: [{ name: 'write_shared', arguments: { file: 'it.txt', content: 'A long text.' } }] },
      { text: 'The number is 42.' },
    ];
    await run([subAgent('api')], { api: () => replies.shift()! });
    const notes = shown.map(([first]) => englishOf(first?.note ?? ''));
    expect(notes).toContain('look_up it');
    expect(notes).toContain('write_shared it.txt');
    expect(shown.at(-1)?.[0]).toMatchObject({
      sessionId: 'session-api',
      state: 'done',
      note: 'The number is 42.',
      tokens: (await sessions.get('api')!.compaction.usage()).total,
    });
  });
});

describe('the tool delegate', () => {
  const propose = (subAgents: readonly unknown[]) =>
    createDelegate(['look_up'], () => Promise.resolve(ok('ran'))).propose(
      { shards: subAgents },
      new AbortController().signal,
    );

  it('asks with a list of all sub-agents that would start', async () => {
    const proposed = await propose([
      { name: 'api', task: 'Find all\nroutes.', tools: ['look_up'] },
      { name: 'ui', task: 'Draw them.', depends_on: ['api', 'api'] },
    ]);
    expect(proposed).toMatchObject({
      approval: {
        kind: 'delegate',
        title: { english: 'Start 2 sub-agents' },
        details: [
          { english: 'api: Find all routes. · tools: look_up' },
          { english: 'ui: Draw them. · after api' },
        ],
        patterns: ['delegate'],
        rule: { kind: 'delegate', pattern: 'delegate' },
      },
    });
  });

  it('refuses a cycle without a question, and names its path', async () => {
    const proposed = await propose([
      { name: 'a', task: 'x', depends_on: ['b'] },
      { name: 'b', task: 'y', depends_on: ['a'] },
    ]);
    expect(proposed).toMatchObject({ isError: true });
    expect(proposed).toHaveProperty('content', expect.stringContaining('a → b → a'));
  });
});
