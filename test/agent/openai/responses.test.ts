import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/agent/model/chat-model.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { called, result, said, typed } from '../../support/messages.ts';
import { eventsOf, failureOf, modelAt, question, replyOf } from './ask-model.ts';
import { server, useServer } from './server-for-each-test.ts';

const signal = new AbortController().signal;
const native = () => modelAt(server, { api: 'responses' });
const reasoningItem = {
  type: 'reasoning',
  id: 'rs_1',
  status: 'completed',
  summary: [{ type: 'summary_text', text: 'hm' }],
  encrypted_content: 'sealed thought',
};

useServer();

describe('a request to the Responses API', () => {
  it('contains everything in order, including system messages, and stores nothing', async () => {
    server.reply({ text: 'Hi' });
    await replyOf(native(), {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Read a.' },
        {
          role: 'assistant',
          content: 'Yes.',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'text of a' },
      ],
      tools: [{ type: 'function', function: { name: 'read' } }],
      maxOutputTokens: 300,
    });
    expect(server.requests[0]?.path).toBe('/v1/responses');
    expect(server.requests[0]?.body).toEqual({
      model: 'scripted',
      input: [
        { type: 'message', role: 'system', content: 'Be brief.' },
        { type: 'message', role: 'user', content: 'Read a.' },
        { type: 'message', role: 'assistant', content: 'Yes.' },
        { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'text of a' },
      ],
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { summary: 'auto' },
      tools: [{ type: 'function', name: 'read', parameters: { type: 'object' }, strict: false }],
      max_output_tokens: 300,
    });
  });

  it('requests no reasoning from a model that has refused it once', async () => {
    server.reply(
      { status: 400, body: { error: { message: 'Encrypted content is not supported with this model.' } } },
      { text: 'One' },
      { text: 'Two' },
    );
    const model = native();
    await replyOf(model);
    await replyOf(model);
    expect(server.requests.map(({ body }) => ['include' in body, 'reasoning' in body])).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
  });

  it('requests no reasoning summary if the organisation may not see one', async () => {
    const message = 'Your organization must be verified to generate reasoning summaries.';
    server.reply({ status: 400, body: { error: { message, param: 'reasoning.summary' } } }, { text: 'One' });
    await replyOf(native());
    expect(server.requests.map(({ body }) => ['include' in body, 'reasoning' in body])).toEqual([
      [true, true],
      [true, false],
    ]);
  });
});

describe('a reply of the Responses API', () => {
  it('arrives in pieces, then as a whole, with the items to send back', async () => {
    server.reply({
      reasoning: 'First this.\n\nThen that.',
      reasoningItems: [reasoningItem],
      text: 'Hello there',
      chunks: 3,
      toolCalls: [{ id: 'c1', name: 'read_file', arguments: { path: 'b' } }],
      usage: { inputTokens: 70, outputTokens: 5, cachedInputTokens: 60 },
    });
    const events = await eventsOf(native());
    expect(events.filter(({ type }) => type === 'text-delta').length).toBeGreaterThanOrEqual(3);
    expect(events.at(-1)).toEqual({
      type: 'end',
      reply: {
        content: 'Hello there',
        reasoning: 'First this.\n\nThen that.',
        toolCalls: [
          { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"b"}' } },
        ],
        finishReason: 'tool-calls',
        reasoningItems: { endpoint: server.baseUrl, model: 'scripted', items: [reasoningItem] },
        usage: { inputTokens: 70, outputTokens: 5, cachedInputTokens: 60 },
      },
    });
  });

  it('shows a refusal as text', async () => {
    server.reply({ chunkData: [{ type: 'response.refusal.delta', delta: 'I will not.' }] });
    expect((await replyOf(native())).content).toBe('I will not.');
  });

  it.each([
    ['length', 'length'],
    ['content_filter', 'other'],
    ['stop', 'stop'],
  ])('that ended with %s reports %s', async (finishReason, read) => {
    server.reply({ text: 'Hi', finishReason });
    expect((await replyOf(native())).finishReason).toBe(read);
  });

  it.each([
    [{ code: 'server_error', message: 'Broken.' }, 'server'],
    [{ code: 'rate_limit_exceeded', message: 'Slow down.' }, 'rate-limited'],
    [
      { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' },
      'overflow',
    ],
  ])('that failed with %o counts as %s', async (error, code) => {
    server.reply({ text: 'Half', then: { error } });
    expect((await failureOf(native())).code).toBe(code);
  });

  it('counts as cut off if it ends without a final event', async () => {
    server.reply({ text: 'Half', then: 'end' });
    expect((await failureOf(native())).code).toBe('cut-off');
  });

  it('is an error if an event reports one', async () => {
    const event = { type: 'error', code: 'server_error', message: 'Broken.' };
    server.reply({ chunkData: [event] });
    expect((await failureOf(native())).message).toContain('Broken.');
  });
});

describe('reasoning of the Responses API', () => {
  const given = (endpoint: string, model = 'scripted'): ModelRequest => ({
    messages: [
      { role: 'user', content: 'Read a.' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'And b.' },
    ],
    tools: [],
    reasoningItems: new Map([[1, { endpoint, model, items: [reasoningItem] }]]),
  });
  const inputOf = () => server.requests.at(-1)?.body.input;

  it('is sent back before its message, without ids of unstored items', async () => {
    server.reply({ text: 'Hi' });
    await replyOf(native(), given(server.baseUrl));
    expect(inputOf()).toEqual([
      { type: 'message', role: 'user', content: 'Read a.' },
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'sealed thought',
      },
      { type: 'message', role: 'assistant', content: 'Done.' },
      { type: 'message', role: 'user', content: 'And b.' },
    ]);
  });

  it.each([
    ['another endpoint', 'https://elsewhere.example/v1', 'scripted'],
    ['another model', undefined, 'another'],
  ])('of %s is not sent anywhere', async (_who, endpoint, model) => {
    server.reply({ text: 'Hi' });
    await replyOf(native(), given(endpoint ?? server.baseUrl, model));
    expect(JSON.stringify(inputOf())).not.toContain('sealed');
  });

  it('is removed if the provider cannot read it any more', async () => {
    const error = {
      code: 'invalid_encrypted_content',
      message: 'The encrypted content could not be verified.',
    };
    server.reply({ status: 400, body: { error } }, { text: 'Hi' });
    await replyOf(native(), given(server.baseUrl));
    expect(server.requests.map(({ body }) => JSON.stringify(body).includes('sealed'))).toEqual([true, false]);
  });

  it('is omitted from chat completions', async () => {
    server.reply({ text: 'Hi' });
    await replyOf(modelAt(server), given(server.baseUrl));
    expect(server.requests[0]?.body.messages[1]).toEqual({ role: 'assistant', content: 'Done.' });
  });
});

describe("a provider's own compaction", () => {
  const messages: readonly Message[] = [
    typed('m1', 'read it'),
    called('m2', ['call', 'read_file', { path: 'a.ts' }]),
    result('m3', 'call', 'text of a'),
    said('m4', 'done'),
  ];

  it('sends the messages as items, and returns the opaque item', async () => {
    server.reply({
      status: 200,
      body: {
        object: 'response.compaction',
        output: [
          { type: 'message', role: 'user', content: [] },
          { type: 'compaction', id: 'c', encrypted_content: 'sealed' },
        ],
        usage: { input_tokens: 900, output_tokens: 40 },
      },
    });
    expect(await native().compactNatively(messages, signal)).toEqual({
      item: { endpoint: server.baseUrl, content: 'sealed' },
      usage: { inputTokens: 900, outputTokens: 40 },
    });
    expect(server.requests[0]?.path).toBe('/v1/responses/compact');
    expect(server.requests[0]?.body).toEqual({
      model: 'scripted',
      input: [
        { type: 'message', role: 'user', content: 'read it' },
        { type: 'function_call', call_id: 'call', name: 'read_file', arguments: '{"path":"a.ts"}' },
        { type: 'function_call_output', call_id: 'call', output: 'text of a' },
        { type: 'message', role: 'assistant', content: 'done' },
      ],
    });
  });

  it.each([
    ['does not offer compaction', { status: 404, body: { error: { message: 'Unknown path' } } }, 'not-found'],
    ['answers without an opaque item', { status: 200, body: { output: [] } }, 'invalid-response'],
  ])('fails with a clear message if the server %s', async (_name, reply, code) => {
    server.reply(reply);
    await expect(native().compactNatively(messages, signal)).rejects.toMatchObject({ code });
  });
});

describe('a request with an opaque item', () => {
  const request = (endpoint = server.baseUrl): ModelRequest => ({
    ...question,
    messages: [
      { role: 'user', content: 'compacted; not inspectable' },
      { role: 'user', content: 'go on' },
    ],
    opaque: new Map([[0, { endpoint, content: 'sealed' }]]),
  });

  it('goes to the Responses API, with the item before its text', async () => {
    server.reply({ text: 'Hello' });
    expect((await replyOf(modelAt(server), request())).content).toBe('Hello');
    expect(server.requests[0]?.path).toBe('/v1/responses');
    expect(server.requests[0]?.body.input).toEqual([
      { type: 'compaction', encrypted_content: 'sealed' },
      { type: 'message', role: 'user', content: 'compacted; not inspectable' },
      { type: 'message', role: 'user', content: 'go on' },
    ]);
  });

  it('contains only text for any other endpoint', async () => {
    server.reply({ text: 'Hi' });
    await eventsOf(modelAt(server), request('https://elsewhere.example/v1'));
    expect(server.requests[0]?.path).toBe('/v1/chat/completions');
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('sealed');
  });
});
