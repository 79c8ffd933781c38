import { describe, expect, it } from 'vitest';
import type { ToolSchema } from '../../../src/compaction/messages/message.ts';
import { said, typed } from '../../support/messages.ts';
import { failureOf, key, question, replyOf } from './ask-model.ts';
import { modelOf, server, useServer } from './server-for-each-test.ts';

useServer();

describe('a request', () => {
  it('contains the model, the key, the messages and the tools, but no reasoning', async () => {
    server.reply({ text: 'Hi' });
    const tool = { type: 'function', function: { name: 'recall' } } as const;
    await replyOf(modelOf(), {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'developer', content: 'Be kind.' },
        { role: 'assistant', content: 'Yes.', reasoning_content: 'Hm.' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [tool],
      maxOutputTokens: 300,
    });
    const [request] = server.requests;
    expect(request?.headers.authorization).toBe(`Bearer ${key}`);
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.body).toEqual({
      model: 'scripted',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'developer', content: 'Be kind.' },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'Hi' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      tools: [tool],
      max_completion_tokens: 300,
    });
  });

  it('has no tools and no output cap by default', async () => {
    server.reply({ text: 'Hi' });
    await replyOf(modelOf());
    expect(Object.keys(server.requests[0]?.body ?? {})).toEqual([
      'model',
      'messages',
      'stream',
      'stream_options',
    ]);
  });

  it('contains no key if none is set, whatever the environment contains', async () => {
    const before = process.env['OPENAI_API_KEY'];
    process.env['OPENAI_API_KEY'] = 'sk-of-another-program';
    try {
      server.reply({ text: 'Hi' });
      await replyOf(modelOf({ apiKey: undefined }));
    } finally {
      if (before === undefined) delete process.env['OPENAI_API_KEY'];
      else process.env['OPENAI_API_KEY'] = before;
    }
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe('a key', () => {
  it('may have been pasted with a line feed', async () => {
    server.reply({ text: 'Hi' });
    await replyOf(modelOf({ apiKey: `${key}\n` }));
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it('counts as missing if it is empty', async () => {
    server.reply({ text: 'Hi' });
    await replyOf(modelOf({ apiKey: '' }));
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('is rejected before sending if it has characters that no key has', async () => {
    expect(await failureOf(modelOf({ apiKey: 'my “key”' }))).toMatchObject({ code: 'unauthorised' });
    expect(server.requests).toHaveLength(0);
  });
});

describe('a server that rejects a parameter', () => {
  it('gets the request again, and all later requests, without stream_options', async () => {
    server.reply({ status: 400, body: { error: { message: 'Unknown field: stream_options' } } });
    server.reply({ text: 'One' }, { text: 'Two' });
    const model = modelOf();
    expect((await replyOf(model)).content).toBe('One');
    expect((await replyOf(model)).content).toBe('Two');
    expect(server.requests.map(({ body }) => body.stream_options !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('gets max_tokens instead of max_completion_tokens, also in all later requests', async () => {
    // Mistral answers like this.
    const detail = [
      {
        type: 'extra_forbidden',
        loc: ['body', 'max_completion_tokens'],
        msg: 'Extra inputs are not permitted',
      },
    ];
    server.reply({ status: 422, body: { detail } }, { text: 'One' }, { text: 'Two' });
    const model = modelOf();
    await replyOf(model, { ...question, maxOutputTokens: 50 });
    await replyOf(model, { ...question, maxOutputTokens: 60 });
    expect(server.requests.map(({ body }) => [body.max_completion_tokens, body.max_tokens])).toEqual([
      [50, undefined],
      [undefined, 50],
      [undefined, 60],
    ]);
  });

  it('may reject two parameters, one after the other', async () => {
    server.reply({ status: 400, body: { error: { message: 'max_completion_tokens is not supported' } } });
    server.reply({ status: 400, body: { error: { message: 'stream_options is not supported' } } });
    server.reply({ text: 'Hi' });
    expect((await replyOf(modelOf(), { ...question, maxOutputTokens: 50 })).content).toBe('Hi');
    expect(server.requests).toHaveLength(3);
  });

  it('gets no second request if it rejects the value of the output cap', async () => {
    const message = 'max_completion_tokens is too large: 50000. This model supports at most 16384.';
    server.reply({ status: 400, body: { error: { message } } });
    expect((await failureOf(modelOf(), { ...question, maxOutputTokens: 50_000 })).code).toBe('rejected');
    expect(server.requests).toHaveLength(1);
  });

  it('gets the request without stream_options only once', async () => {
    const refusal = { status: 400, body: { error: { message: 'Unknown field: stream_options' } } };
    server.reply(refusal, refusal);
    expect((await failureOf(modelOf())).code).toBe('rejected');
    expect(server.requests).toHaveLength(2);
  });
});

describe('a summary', () => {
  const summaryRequest = {
    instructions: 'Take notes.',
    prompt: '<conversation>…</conversation>',
    sources: [],
    focus: undefined,
    tag: 'summary',
    maxOutputTokens: 900,
  };
  const signal = new AbortController().signal;

  it('is requested with instructions, prompt and output cap, and without tools', async () => {
    server.reply({ text: '<summary>Notes</summary>', usage: { inputTokens: 50, outputTokens: 7 } });
    expect(await modelOf().summarise(summaryRequest, signal)).toEqual({
      content: '<summary>Notes</summary>',
      finishReason: 'stop',
      usage: { inputTokens: 50, outputTokens: 7 },
    });
    expect(server.requests[0]?.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Take notes.' },
        { role: 'user', content: '<conversation>…</conversation>' },
      ],
      max_completion_tokens: 900,
    });
    expect(server.requests[0]?.body).not.toHaveProperty('tools');
  });

  it("continues the chat's own request, with tools that must not be called", async () => {
    server.reply({ text: '<summary>Notes</summary>' });
    const tool: ToolSchema = { type: 'function', function: { name: 'read_file' } };
    const view = [typed('m1', 'fix the lock'), said('m2', 'done')];
    await modelOf().summarise(
      { ...summaryRequest, prompt: 'Take notes now.', continues: { view, tools: [tool] } },
      signal,
    );
    expect(server.requests[0]?.body).toMatchObject({
      messages: [
        { role: 'user', content: 'fix the lock' },
        { role: 'assistant', content: 'done' },
        { role: 'user', content: 'Take notes now.' },
      ],
      tools: [tool],
      tool_choice: 'none',
    });
  });

  it('reports that its text was cut off', async () => {
    server.reply({ text: '<summary>No', finishReason: 'length' });
    expect((await modelOf().summarise(summaryRequest, signal)).finishReason).toBe('length');
  });

  it('contains no reasoning', async () => {
    server.reply({ reasoning: 'What to keep?', text: 'Notes' });
    expect((await modelOf().summarise(summaryRequest, signal)).content).toBe('Notes');
  });

  it('can be stopped', async () => {
    server.reply({ hang: true });
    const stopping = new AbortController();
    const summary = modelOf().summarise(summaryRequest, stopping.signal);
    const request = await server.request(0);
    stopping.abort();
    await expect(summary).rejects.toMatchObject({ code: 'cancelled' });
    expect(await request.closed).toBe('client');
  });
});
