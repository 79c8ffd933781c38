import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SubAgentHost, SubAgentPlace } from '../../../src/agent/delegation/sub-agent-session.ts';
import { OpenaiModel } from '../../../src/agent/openai/openai-model.ts';
import type { SessionPorts } from '../../../src/agent/session/session-ports.ts';
import { defineTool } from '../../../src/agent/tools/support/define-tool.ts';
import { ok } from '../../../src/agent/tools/support/tool.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { llmSummary } from '../../../src/compaction/strategies/llm-summary.ts';
import { AgentTelemetry } from '../../../src/extension/agent/agent-telemetry.ts';
import { withDelegate } from '../../../src/extension/agent/agent-tools.ts';
import { readTranscript } from '../../../src/library/foreign-transcripts.ts';
import { createMeter } from '../../support/engine.ts';
import { SpanCollector } from '../../support/span-collector.ts';
import { SessionHarness, settingsFor } from '../../agent/session/session-harness.ts';

const lookUp = defineTool({
  name: 'look_up',
  description: 'Looks something up.',
  properties: { what: { type: 'string' } },
  required: ['what'],
  describe: ({ what = '' }) => what,
  run: ({ what }) => ok(`${what} is forty-two`),
});

const newSession = { title: undefined, entries: [], tools: [], lastTurn: undefined };
const usage = { inputTokens: 90, outputTokens: 7, cachedInputTokens: 40 };

let meter: UsageMeter;
beforeAll(async () => {
  meter = await createMeter();
});

/** A session whose events are reported to a collector. */
async function watchedSession(
  collector: SpanCollector,
  {
    content = false,
    key = 'key',
    ...ports
  }: Partial<SessionPorts> & { content?: boolean; key?: string } = {},
) {
  const logged: string[] = [];
  const settings = {
    telemetry: { endpoint: collector.endpoint, content },
    provider: 'auto' as const,
  };
  const telemetry = new AgentTelemetry({
    settings: () => settings,
    keys: () => Promise.resolve([key]),
    version: '1.2.3',
    log: { warn: (line) => logged.push(line) },
  });
  const harness = await SessionHarness.start(meter, { tools: () => [lookUp], ...ports });
  harness.observer = (event) => telemetry.happened({ id: 's1' }, harness.session, event);
  return { telemetry, harness, logged, settings };
}

const askedAndAnswered = [
  { text: 'Let me see.', toolCalls: [{ name: 'look_up', arguments: { what: 'the answer' } }], usage },
  { text: 'It is known.', usage },
];

describe('telemetry of the agent', () => {
  it('has a trace for a turn, with spans for its model calls and tools', async () => {
    await using collector = await SpanCollector.start();
    const { telemetry, harness } = await watchedSession(collector);
    await using session = harness;
    session.server.reply(...askedAndAnswered);
    await session.session.send('What is the answer?');
    await telemetry.close();

    const { spans } = collector;
    expect(spans.map(({ name }) => name)).toEqual([
      'chat scripted',
      'execute_tool look_up',
      'chat scripted',
      'invoke_agent context-budget',
    ]);
    const turn = spans.at(-1);
    expect(new Set(spans.map(({ trace }) => trace)).size).toBe(1);
    expect(spans.slice(0, -1).map(({ parent }) => parent)).toEqual([turn?.span, turn?.span, turn?.span]);
    expect(turn?.parent).toBe('');
    expect(spans[0]?.attributes).toMatchObject({
      'service.name': 'context-budget',
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.conversation.id': 's1',
      'gen_ai.request.model': 'scripted',
      'gen_ai.usage.input_tokens': 90,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.usage.cache_read.input_tokens': 40,
    });
    expect(collector.paths.every((path) => path === '/v1/traces')).toBe(true);
  });

  it('contains no text of a conversation by default', async () => {
    await using collector = await SpanCollector.start();
    const { telemetry, harness } = await watchedSession(collector);
    await using session = harness;
    session.server.reply({ toolCalls: [{ name: 'forty_two_secret', arguments: {} }] }, ...askedAndAnswered, {
      status: 400,
      body: { error: { message: 'the answer is not known' } },
    });
    await session.session.send('What is the answer?');
    await session.session.send('And the question?');
    await telemetry.close();

    const sent = collector.bodies.join('\n');
    expect(collector.spans).toHaveLength(8);
    expect(sent).not.toMatch(/answer|forty|question|rules|known|see|Looks/u);
  });

  it('is read by our own reader as the same conversation if it has content', async () => {
    await using collector = await SpanCollector.start();
    const { telemetry, harness } = await watchedSession(collector, { content: true });
    await using session = harness;
    session.server.reply(...askedAndAnswered, { reasoning: 'easy', text: 'You are welcome.', usage });
    await session.session.send('What is the answer?');
    await session.session.send('Thanks.');
    await telemetry.close();

    const read = readTranscript(collector.bodies.join('\n'));
    const plain = ({ transcript }: Pick<typeof session.session, 'transcript'>) =>
      transcript.view.map(({ role, content, tool_calls: calls, tool_call_id: id, reasoning }) => ({
        role,
        content,
        tool_calls: calls,
        tool_call_id: id,
        reasoning,
      }));
    expect(read.format).toBe('otel');
    expect(messagesOf(read)).toMatchObject(JSON.parse(JSON.stringify(plain(session.session))) as object[]);
    expect(messagesOf(read).at(-1)).toMatchObject({ modelId: 'scripted', usage });
    expect(read.tools).toEqual(session.session.tools);
  });

  it('contains no key, even in the text of a conversation', async () => {
    await using collector = await SpanCollector.start();
    const key = 'sk-driftwood-4711-meadow';
    const { telemetry, harness } = await watchedSession(collector, { content: true, key });
    await using session = harness;
    session.server.reply(
      { toolCalls: [{ name: 'look_up', arguments: { what: key } }] },
      { text: `\n${key}` },
    );
    await session.session.send(`My key is ${key}.`);
    await telemetry.close();

    expect(collector.spans).toHaveLength(4);
    expect(collector.bodies.join('\n')).toContain('[key]');
    expect(collector.bodies.join('\n')).not.toContain('driftwood');
  });

  it('has a span for a compaction, above its request for a summary', async () => {
    await using collector = await SpanCollector.start();
    const settings = settingsFor(llmSummary, { preserveMessages: 1 });
    const { telemetry, harness } = await watchedSession(collector, { settings: () => settings });
    await using session = harness;
    const long = 'Some words to summarise. '.repeat(400);
    session.server.reply({ text: long }, { text: long }, { text: '<summary>Some words.</summary>' });
    await session.session.send('One.');
    await session.session.send('Two.');
    const record = await session.session.compactNow();
    await telemetry.close();

    const [summary, compaction] = collector.spans.slice(-2);
    expect(record.status).toBe('applied');
    expect(summary).toMatchObject({ name: 'chat scripted', parent: compaction?.span });
    expect(compaction).toMatchObject({ name: 'compact llm-summary', parent: '' });
    expect(compaction?.attributes).toMatchObject({
      'context_budget.compaction.trigger': 'manual',
      'context_budget.compaction.status': 'applied',
      'context_budget.compaction.tokens_before': record.before.tokens,
      'context_budget.compaction.tokens_after': record.after.tokens,
    });
  });

  it('shows a failed model call and the failed turn as errors', async () => {
    await using collector = await SpanCollector.start();
    const { telemetry, harness } = await watchedSession(collector);
    await using session = harness;
    session.server.reply({ status: 401 });
    await session.session.send('What is the answer?');
    await telemetry.close();

    expect(collector.spans.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['chat', expect.stringMatching(/^models\./u)],
      ['invoke_agent context-budget', expect.stringMatching(/^models\./u)],
    ]);
  });

  it('places the turn of a sub-agent in the trace of the call that started it', async () => {
    await using collector = await SpanCollector.start();
    const { telemetry, harness } = await watchedSession(collector, { content: true });
    await using session = harness;
    const { baseUrl } = session.server;
    const model = new OpenaiModel({ baseUrl, apiKey: 'key', model: 'scripted', maxRetries: 0 });
    const place: SubAgentPlace = {
      sessionId: 's1.helper',
      log: () => Promise.resolve(),
      began: () => {},
      happened: () => {},
      ended: () => Promise.resolve(),
    };
    const host: SubAgentHost = {
      ports: {
        models: () => Promise.resolve({ chat: model, named: () => model }),
        settings: () => settingsFor(),
        meter,
        systemPrompt: () => 'rules',
        now: () => 0,
      },
      tools: () => [],
      sharedFolder: () => join(tmpdir(), 'not-made'),
      open: (_subAgent, callKey) => Promise.resolve(telemetry.observed(place, { sessionId: 's1', callKey })),
    };
    session.open(newSession, { tools: (access) => withDelegate([], access, host) });
    session.server.reply(
      { toolCalls: [{ name: 'delegate', arguments: { shards: [{ name: 'helper', task: 'Find it.' }] } }] },
      { text: 'Found it.' },
      { text: 'The helper found it.' },
    );
    await session.session.send('Find the answer.');
    await telemetry.close();

    const named = (name: string) => collector.spans.find((span) => span.name === name);
    expect(named('invoke_agent sub-agent')).toMatchObject({
      parent: named('execute_tool delegate')?.span,
      trace: named('invoke_agent context-budget')?.trace,
    });
    const read = readTranscript(collector.bodies.join('\n'));
    expect(messagesOf(read).at(-1)).toMatchObject({ content: 'The helper found it.' });
    expect(read.others).toMatchObject([{ kind: 'sub-agent' }]);
  });

  it('ends a running turn when the window closes', async () => {
    await using collector = await SpanCollector.start();
    const { telemetry, harness } = await watchedSession(collector);
    await using session = harness;
    session.server.reply({ hang: true });
    const turn = session.session.send('What is the answer?');
    await session.server.request(0);
    await telemetry.close();
    session.session.stop();
    await turn;

    expect(collector.spans.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['invoke_agent context-budget', 'stopped'],
    ]);
  });

  it('is off without an endpoint', async () => {
    await using collector = await SpanCollector.start();
    const { telemetry, harness, settings } = await watchedSession(collector);
    settings.telemetry.endpoint = '';
    await using session = harness;
    session.server.reply(...askedAndAnswered);
    await session.session.send('What is the answer?');
    await telemetry.close();
    expect(collector.bodies).toEqual([]);
  });

  it('delays no turn, and logs one line, while the endpoint does not answer', async () => {
    await using collector = await SpanCollector.start();
    collector.status = undefined;
    const { telemetry, harness, logged } = await watchedSession(collector);
    await using session = harness;
    session.server.reply(...askedAndAnswered, ...askedAndAnswered);
    await session.session.send('What is the answer?');
    await session.session.send('And again?');
    await collector.requested();
    expect(logged).toEqual([]);
    collector.status = 200;
    collector.hangUp();
    await telemetry.close();
    expect(logged).toEqual([expect.stringContaining('Telemetry could not be sent')]);
  });
});
