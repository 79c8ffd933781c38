import { describe, expect, it } from 'vitest';
import { failureOf, key, replyOf } from './ask-model.ts';
import { modelOf, server, useServer } from './server-for-each-test.ts';

useServer();

const page = '<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>';

describe('a refusal', () => {
  it.each([
    [401, 'unauthorised'],
    [403, 'unauthorised'],
    [404, 'not-found'],
    [429, 'rate-limited'],
    [500, 'server'],
    [503, 'server'],
    [400, 'rejected'],
    [402, 'rejected'],
  ])('with status %i counts as %s, and quotes the server', async (status, code) => {
    server.reply({ status, body: { error: { message: 'Computer says no.', type: 'x' } } });
    const failure = await failureOf(modelOf());
    expect(failure).toMatchObject({ code, status });
    expect(failure.message).toContain(new URL(server.baseUrl).host);
    expect(failure.message).toContain('Computer says no.');
  });

  it.each([
    ['of the key', { status: 401, body: { error: { message: 'No.' } } }, 'run "Context Budget: Set API Key"'],
    ['with a web page', { status: 502, body: page }, /The server said: 502 Bad Gateway Bad Gateway$/],
    ['without an error object', { status: 400, body: { message: 'No such thing.' } }, 'No such thing.'],
    ['without a body', { status: 500, body: '' }, '(HTTP 500)'],
    ['because of a rate limit', { status: 429, headers: { 'retry-after': '20' }, body: {} }, 'Wait 20 s'],
  ])('%s has a helpful message', async (_name, refusal, words) => {
    server.reply(refusal);
    expect((await failureOf(modelOf())).message).toMatch(words);
  });

  it('never shows the key, even if the server repeats it', async () => {
    server.reply({ status: 401, body: { error: { message: `Incorrect API key provided: ${key}.` } } });
    const failure = await failureOf(modelOf());
    expect(failure.message).toContain('Incorrect API key provided: [key].');
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain(key);
  });

  it('with a long text is clipped', async () => {
    server.reply({ status: 400, body: 'x'.repeat(20_000) });
    const { message } = await failureOf(modelOf());
    expect(message).toContain('x'.repeat(499) + '…');
    expect(message).not.toContain('x'.repeat(500));
  });

  it('because of a used-up quota does not advise waiting', async () => {
    const error = { message: 'You exceeded your current quota.', code: 'insufficient_quota' };
    server.reply({ status: 429, body: { error } });
    const failure = await failureOf(modelOf());
    expect(failure.code).toBe('rate-limited');
    expect(failure.message).toContain('billing');
  });

  it.each(['1e308', 'Infinity', '86401', '-1', 'soon'])('advises no wait of %s seconds', async (wait) => {
    server.reply({ status: 429, headers: { 'retry-after': wait }, body: {} });
    expect((await failureOf(modelOf())).message).toContain('Wait a moment, then try again.');
  });

  it('because of the length is an overflow with limit and size', async () => {
    const message =
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.";
    server.reply({ status: 400, body: { error: { message, code: 'context_length_exceeded' } } });
    expect(await failureOf(modelOf())).toMatchObject({
      code: 'overflow',
      status: 400,
      limit: 8192,
      actual: 9001,
    });
  });

  it('because of the length is recognised in the wrapper of a gateway', async () => {
    const raw = JSON.stringify({ error: { message: 'prompt is too long: 210000 tokens > 200000 maximum' } });
    const error = { message: 'Provider returned error', code: 400, metadata: { raw } };
    server.reply({ status: 400, body: { error } });
    expect(await failureOf(modelOf())).toMatchObject({ code: 'overflow', limit: 200_000, actual: 210_000 });
  });
});

describe('retries', () => {
  it('follow a rate limit after the wait that the server requests', async () => {
    server.reply({ status: 429, headers: { 'retry-after-ms': '5' }, body: {} }, { text: 'Hi' });
    expect((await replyOf(modelOf({ maxRetries: 1 }))).content).toBe('Hi');
    expect(server.retries).toBe(1);
  });

  it('end with the error if every attempt fails', async () => {
    const refusal = { status: 500, headers: { 'retry-after-ms': '5' }, body: {} };
    server.reply(refusal, refusal, refusal);
    expect((await failureOf(modelOf({ maxRetries: 2 }))).code).toBe('server');
    expect(server.requests.map(({ attempt }) => attempt)).toEqual([0, 1, 2]);
  });

  it('do not follow a refused key', async () => {
    server.reply({ status: 401, body: {} });
    await failureOf(modelOf({ maxRetries: 2 }));
    expect(server.requests).toHaveLength(1);
  });
});
