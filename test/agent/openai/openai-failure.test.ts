import { describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { ModelError } from '../../../src/agent/model/chat-model.ts';
import { failureOf, question, replyOf } from './ask-model.ts';
import { modelOf, server, useServer } from './server-for-each-test.ts';

useServer();

describe('a stream with a fault', () => {
  it.each([
    ['is cut off if the socket breaks', { text: 'Half an ans', then: 'cut' }, 'cut-off'],
    ['is cut off if it ends without a finish reason', { text: 'Half an ans', then: 'end' }, 'cut-off'],
    [
      'is invalid if a line is not JSON',
      { text: 'Hi', then: { raw: 'data: {"choices": [{"d\n\n' } },
      'invalid-response',
    ],
    [
      'is an overflow if the window was full before the first word',
      { finishReason: 'model_context_window_exceeded' },
      'overflow',
    ],
    [
      'is an error if a reply with status 200 contains an error',
      { status: 200, body: { error: { message: 'No.', code: 402 } } },
      'rejected',
    ],
  ] as const)('%s', async (_title, reply, code) => {
    server.reply(reply);
    expect((await failureOf(modelOf())).code).toBe(code);
  });

  it.each([
    'data: null',
    'data: 5',
    'data: []',
    'data:',
    'data',
    'event: ping',
    'event: ping\ndata: {}',
    'event: thread.x\ndata: null',
    'data: {"choices":null}',
    'data: {"choices":[null]}',
    'data: {"choices":[{"delta":{}}, 5]}',
    'data: {"choices":[{"delta":null}]}',
    'nonsense',
  ])('is complete even if it contains %j', async (odd) => {
    const end = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    server.reply({ text: 'Hi', then: { raw: `${odd}\n\n${end}` } });
    expect((await replyOf(modelOf())).content).toBe('Hi');
  });

  it('passes on the text that arrived before the failure', async () => {
    server.reply({ text: 'Half an ans', then: 'cut' });
    const seen: string[] = [];
    await expect(async () => {
      for await (const event of modelOf().stream(question, new AbortController().signal)) {
        if (event.type === 'text-delta') seen.push(event.text);
      }
    }).rejects.toThrow('was dropped in the middle of the reply');
    expect(seen.join('')).toBe('Half an ans');
  });

  it.each([
    [{ message: 'Upstream is down', code: 502 }, 'server'],
    [{ message: 'Slow down', code: 429 }, 'rate-limited'],
    [{ message: 'The server had an error', type: 'server_error', code: null }, 'server'],
    [{ message: 'Rate limit reached', type: 'rate_limit_exceeded' }, 'rate-limited'],
    [{ message: 'prompt is too long: 9 tokens > 8 maximum', type: 'invalid_request_error' }, 'overflow'],
    [{ message: 'Bad schema', type: 'invalid_request_error' }, 'rejected'],
  ])('maps the error object %o to %s', async (error, code) => {
    server.reply({ text: 'Hi', then: { error } });
    const failure = await failureOf(modelOf());
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(error.message);
  });

  it('times out after a long silence', async () => {
    server.reply({ text: 'Hm', then: 'silence' });
    const failure = await failureOf(modelOf({ idleTimeoutMs: 50 }));
    expect(failure.code).toBe('timeout');
    expect(await (await server.request(0)).closed).toBe('client');
  });

  it('does not time out while its reader is slow', async () => {
    server.reply({ text: 'one two three four', chunks: 4 });
    let content = '';
    let hasWaited = false;
    for await (const event of modelOf({ idleTimeoutMs: 1_000 }).stream(
      question,
      new AbortController().signal,
    )) {
      // Time has to pass here, because the test is about it.
      if (!hasWaited) await setTimeout(1_200);
      hasWaited = true;
      if (event.type === 'end') content = event.reply.content;
    }
    expect(content).toBe('one two three four');
  });

  it('is reported as an invalid response if it is a web page', async () => {
    server.reply({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' });
    const failure = await failureOf(modelOf());
    expect(failure.code).toBe('invalid-response');
    expect(failure.message).toContain('web page');
  });
});

describe('a server that cannot be reached', () => {
  it('is reported as a network error if nothing answers', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const address = probe.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    probe.close();
    await once(probe, 'close');
    const failure = await failureOf(modelOf({ baseUrl: `http://127.0.0.1:${port}/v1` }));
    expect(failure.code).toBe('network');
    expect(failure.message).toContain(`Nothing answers at 127.0.0.1:${port}`);
  });

  it('is reported as a network error if the name is unknown', async () => {
    const failure = await failureOf(modelOf({ baseUrl: 'http://no-such-host.invalid/v1' }));
    expect(failure.code).toBe('network');
    expect(failure.message).toContain('no-such-host.invalid cannot be found');
  });

  it('times out if it does not begin to answer', async () => {
    server.reply({ hang: true });
    const failure = await failureOf(modelOf({ timeoutMs: 50 }));
    expect(failure.code).toBe('timeout');
    expect(failure.message).toContain('did not answer');
  });

  it('is distinguished from an invalid base URL', async () => {
    const failure = await failureOf(modelOf({ baseUrl: '' }));
    expect(failure.code).toBe('not-found');
    expect(failure.message).toContain('base URL');
  });
});

describe('Stop', () => {
  it('closes the socket in the middle of a stream', async () => {
    server.reply({ text: 'Hm', then: 'silence' });
    const stopping = new AbortController();
    const codes: string[] = [];
    try {
      for await (const event of modelOf().stream(question, stopping.signal)) {
        if (event.type === 'text-delta') stopping.abort();
      }
    } catch (error) {
      if (error instanceof ModelError) codes.push(error.code);
    }
    expect(codes).toEqual(['cancelled']);
    expect(await (await server.request(0)).closed).toBe('client');
  });

  it('closes the socket before the answer has begun', async () => {
    server.reply({ hang: true });
    const stopping = new AbortController();
    const failure = failureOf(modelOf(), question, stopping.signal);
    const request = await server.request(0);
    stopping.abort();
    expect((await failure).code).toBe('cancelled');
    expect(await request.closed).toBe('client');
  });

  it('ends the wait for another attempt', async () => {
    server.reply({ status: 429, headers: { 'retry-after': '50' }, body: {} });
    const stopping = new AbortController();
    const failure = failureOf(modelOf({ maxRetries: 2 }), question, stopping.signal);
    await (
      await server.request(0)
    ).closed;
    stopping.abort();
    expect((await failure).code).toBe('cancelled');
    expect(server.requests).toHaveLength(1);
  });

  it('prevents a request that has not begun', async () => {
    expect((await failureOf(modelOf(), question, AbortSignal.abort())).code).toBe('cancelled');
    expect(server.requests).toHaveLength(0);
  });

  it('is not needed if the reader stops reading, because the socket closes automatically', async () => {
    server.reply({ text: 'one two', chunks: 2, then: 'silence' });
    for await (const event of modelOf().stream(question, new AbortController().signal)) {
      if (event.type === 'text-delta') break;
    }
    expect(await (await server.request(0)).closed).toBe('client');
  });
});
