import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTelemetryServer } from '../../../src/bridge/telemetry/telemetry-server.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { readTranscript } from '../../../src/library/foreign-transcripts.ts';
import { ask } from '../proxy/proxied.ts';
import { exportedLogs, exportedSpans } from './exported.ts';

const json = { 'content-type': 'application/json' };
const protobuf = { 'content-type': 'application/x-protobuf' };

async function receiver() {
  const parent = await mkdtemp(join(tmpdir(), 'telemetry-'));
  const folder = join(parent, 'telemetry');
  const log: string[] = [];
  const server = await startTelemetryServer({
    port: 0,
    token: 'a-token',
    folder,
    log: (line) => log.push(line),
  });
  onTestFinished(async () => {
    await server.close();
    await rm(parent, { recursive: true });
  });
  const send = async (
    path: string,
    body: string | Buffer,
    headers: Readonly<Record<string, string>> = json,
    method = 'POST',
  ) => {
    const answer = await ask(`${server.baseUrl}${path}`, { method, body, headers });
    return {
      status: answer.status,
      type: answer.message.headers['content-type'],
      bytes: answer.body,
      text: answer.body.toString('utf8'),
    };
  };
  const names = () => readdir(folder).catch(() => []);
  const texts = async () => Promise.all((await names()).map((name) => readFile(join(folder, name), 'utf8')));
  /** The contents of the active conversation of each file. */
  const sessions = async () =>
    (await texts()).map((text) => messagesOf(readTranscript(text)).map(({ content }) => content));
  return { ...server, parent, folder, log, send, names, texts, sessions };
}

const listed = (attributes: object) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value as string } }));

function chat(text: string, more: object = {}) {
  const says = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });
  return {
    'gen_ai.request.model': 'x',
    'gen_ai.input.messages': JSON.stringify([says('user', text)]),
    'gen_ai.output.messages': JSON.stringify([says('assistant', `${text}!`)]),
    ...more,
  };
}

function span(traceId: string, spanId: string, attributes: object, more: object = {}) {
  return { traceId, spanId, name: 'a span', attributes: listed(attributes), ...more };
}

function exported(spans: readonly object[], resource: object = {}): string {
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: listed(resource) }, scopeSpans: [{ spans }] }],
  });
}

describe('telemetry that is received', () => {
  it.each([
    ['JSON', json, exported([span('t1', 's1', chat('hello'))]), ['hello', 'hello!']],
    [
      'compressed JSON',
      { ...json, 'content-encoding': 'gzip' },
      gzipSync(exported([span('t1', 's1', chat('hello'))])),
      ['hello', 'hello!'],
    ],
    ['protobuf', protobuf, exportedSpans, ['Wie ist das Wetter in Köln?', 'Sunny ☀']],
    [
      'compressed protobuf',
      { ...protobuf, 'content-encoding': 'gzip' },
      gzipSync(exportedSpans),
      ['Wie ist das Wetter in Köln?', 'Sunny ☀'],
    ],
  ])('as %s becomes a session', async (_title, headers, body, contents) => {
    const { send, sessions, log } = await receiver();
    const answer = await send('/v1/traces', body, headers);
    expect(answer).toMatchObject({ status: 200, type: headers['content-type'] });
    expect(answer.text).toBe(headers['content-type'] === json['content-type'] ? '{}' : '');
    expect(await sessions()).toEqual([contents]);
    expect(log).toEqual([]);
  });

  it('as log records becomes a session', async () => {
    const { send, sessions } = await receiver();
    expect(await send('/v1/logs', exportedLogs, protobuf)).toMatchObject({ status: 200 });
    expect(await sessions()).toEqual([['Hello?', 'Hi.']]);
  });

  it('is one session for each conversation, and for each trace without a named one', async () => {
    const { send, sessions } = await receiver();
    const inChat = (id: string) => ({ 'gen_ai.conversation.id': id });
    await send('/v1/traces', exported([span('t1', 's1', chat('first', inChat('a')))]));
    await send('/v1/traces', exported([span('t2', 's2', chat('other', inChat('b')))]));
    await send('/v1/traces', exported([span('t3', 's3', chat('nameless'))]));
    await send('/v1/traces', exported([span('t4', 's4', chat('second', inChat('a')))]));
    await send('/v1/traces', exported([span('t3', 's5', chat('nameless again'))]));
    expect((await sessions()).map(([first]) => first).sort()).toEqual(['nameless again', 'other', 'second']);
  });

  it('keeps a sub-agent with the session whose trace it shares', async () => {
    const { send, texts } = await receiver();
    const agent = { 'gen_ai.operation.name': 'invoke_agent' };
    await send('/v1/traces', exported([span('t1', 'ask', chat('asked'), { parentSpanId: 'main' })]));
    const inOther = { 'gen_ai.conversation.id': 'another' };
    const helper = [
      span('t1', 'look', chat('look', inOther), { parentSpanId: 'helper' }),
      span('t1', 'helper', agent, { parentSpanId: 'call' }),
      span('t1', 'call', {}, { parentSpanId: 'main' }),
      span('t1', 'main', agent),
    ];
    await send('/v1/traces', exported(helper));
    const read = (await texts()).map((text) => readTranscript(text));
    expect(read.map((one) => messagesOf(one)[0]?.content)).toEqual(['asked']);
    expect(read.flatMap(({ others = [] }) => others.map(({ kind, opening }) => [kind, opening]))).toEqual([
      ['sub-agent', 'look'],
    ]);
  });

  it('without messages is not stored', async () => {
    const { send, names } = await receiver();
    const request = { 'gen_ai.request.model': 'x', 'gen_ai.operation.name': 'chat' };
    expect(await send('/v1/traces', exported([span('t1', 's1', request)]))).toMatchObject({ status: 200 });
    expect(await send('/v1/metrics', '{"resourceMetrics":[]}')).toMatchObject({ status: 200, text: '{}' });
    expect(await names()).toEqual([]);
  });

  it('is complete even if the span with the usage comes before the events with the messages', async () => {
    const { send, texts } = await receiver();
    const usage = { 'gen_ai.usage.input_tokens': 12, 'gen_ai.usage.output_tokens': 2 };
    const event = (name: string, body: object) => ({
      ...{ traceId: 't1', spanId: 's1', eventName: name },
      body: { kvlistValue: { values: listed(body) } },
    });
    const logRecords = [
      event('gen_ai.user.message', { content: 'Which colour has the sky?' }),
      event('gen_ai.choice', { content: 'Blue.' }),
    ];
    await send('/v1/traces', exported([span('t2', 's9', usage), span('t1', 's1', usage)]));
    await send('/v1/logs', JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }));
    const read = (await texts()).map((text) => messagesOf(readTranscript(text)));
    expect(read).toMatchObject([
      [
        { content: 'Which colour has the sky?' },
        { content: 'Blue.', usage: { inputTokens: 12, outputTokens: 2 } },
      ],
    ]);
  });

  it('can be read by its owner only', async () => {
    const { send, folder, names } = await receiver();
    await send('/v1/traces', exportedSpans, protobuf);
    const paths = [folder, ...(await names()).map((name) => join(folder, name))];
    const modes = await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777));
    if (process.platform !== 'win32') expect(modes).toEqual([0o700, 0o600]);
  });

  it('is stored without keys, and without attributes that are not read', async () => {
    const { send, texts } = await receiver();
    const hidden = {
      'http.request.header.authorization': 'Bearer key-of-a-header',
      'gen_ai.request.api_key': 'key-of-an-attribute',
      'user.email': 'person@example.com',
    };
    const spans = [span('t1', 's1', chat('my key is key-of-the-exporter', hidden))];
    const withKey = { ...json, authorization: 'Bearer key-of-the-exporter' };
    await send(
      '/v1/traces',
      exported(spans, { 'process.command': 'tool --token key-of-a-command' }),
      withKey,
    );
    const [text = ''] = await texts();
    expect(text).toContain('my key is [key]');
    expect(text).not.toMatch(/key-of|person@/u);
  });
});

describe('an answer', () => {
  it('says how many records were not accepted, and keeps the others', async () => {
    const { send, sessions, log } = await receiver();
    const tooLong = { 'gen_ai.input.messages': `[{"content":"${'x'.repeat(16_000_000)}"}]` };
    const answer = await send(
      '/v1/traces',
      exported([span('t1', 's1', tooLong), span('t2', 's2', chat('hi'))]),
    );
    expect(JSON.parse(answer.text)).toEqual({
      partialSuccess: { rejectedSpans: '1', errorMessage: 'A record of more than 16 MB is not accepted.' },
    });
    expect(answer.status).toBe(200);
    expect(await sessions()).toEqual([['hi', 'hi!']]);
    expect(log).toEqual(['A record of more than 16 MB is not accepted.']);
  });

  it.each([
    ['/v1/profiles', '{}', json, 404, 'Telemetry is received at /v1/traces, /v1/logs and /v1/metrics.'],
    ['/v1/traces', 'a: 1', { 'content-type': 'text/plain' }, 415, 'OTEL_EXPORTER_OTLP_PROTOCOL=http/json'],
    ['/v1/traces', '{"resourceSpans":[', json, 400, 'The export cannot be read: it is not JSON.'],
    ['/v1/traces', '[]', json, 400, 'The export cannot be read: it is not an object.'],
    ['/v1/traces', '['.repeat(5_000) + ']'.repeat(5_000), json, 400, 'The export cannot be read: '],
    ['/v1/logs', `{"a":[${'0,'.repeat(1_000_001)}0]}`, json, 400, 'it has too many values.'],
    ['/v1/logs', Buffer.from([0x0a, 0x7f]), protobuf, 400, 'The export cannot be read: a field is longer'],
    ['/v1/traces', 'x', { ...json, 'content-encoding': 'gzip' }, 400, 'The compressed export cannot be read'],
    [
      '/v1/traces',
      'x',
      { ...json, 'content-encoding': 'secret' },
      400,
      'The compressed export cannot be read',
    ],
    ['/v1/traces', Buffer.alloc(64 * 1024 * 1024 + 1), json, 413, 'more than 64 MB'],
  ])('refuses what it cannot take at %s, with the reason', async (path, body, headers, status, reason) => {
    const { send, names, log } = await receiver();
    const answer = await send(path, body, headers);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(reason);
    expect(log).toEqual([expect.stringContaining(reason)]);
    expect(await names()).toEqual([]);
  });

  it('refuses a method that is not POST', async () => {
    const { send } = await receiver();
    expect(await send('/v1/traces', '', {}, 'GET')).toMatchObject({ status: 405 });
  });

  it('asks for the export again if it cannot be stored', async () => {
    const { send, folder, log, sessions } = await receiver();
    await writeFile(folder, '');
    expect(await send('/v1/traces', exportedSpans, protobuf)).toMatchObject({ status: 503 });
    expect(log).toEqual([expect.stringMatching(/^The telemetry could not be stored \(\w+\)\.$/u)]);
    await rm(folder);
    expect(await send('/v1/traces', exportedSpans, protobuf)).toMatchObject({ status: 200 });
    expect(await sessions()).toHaveLength(1);
  });

  it.each([
    ['without the token', '/v1/traces', {}],
    ['of a web page', '/a-token/v1/traces', { origin: 'https://page.example' }],
    ['to a name that was rebound to this machine', '/a-token/v1/traces', { host: 'rebound.example' }],
  ])('refuses a request %s', async (_title, path, headers) => {
    const { port, names } = await receiver();
    const sent = { headers: { ...protobuf, ...headers }, body: exportedSpans };
    expect(await ask(`http://127.0.0.1:${port}${path}`, sent)).toMatchObject({ status: 403 });
    expect(await names()).toEqual([]);
  });
});
