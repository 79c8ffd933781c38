import { afterEach, describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/agent/model/chat-model.ts';
import type { OpenaiModelOptions } from '../../../src/agent/openai/openai-model.ts';
import { textOfTokens } from '../../support/messages.ts';
import { after, failureOf, key, modelAt, question, replyOf } from './ask-model.ts';
import { ScriptedServer } from './scripted-server.ts';
import type { DialectName } from './server-dialect.ts';

const window = 500;
let server: ScriptedServer;

afterEach(async () => {
  await server.close();
});

const azure = {
  authentication: 'api-key',
  defaultQuery: { 'api-version': '2024-10-21' },
} as const;
const usage = { inputTokens: 120, outputTokens: 8, cachedInputTokens: 64 };
const readFile = { id: 'call_a', name: 'read_file', arguments: { path: 'a.ts' } };
const tooLong: ModelRequest = { messages: [{ role: 'user', content: textOfTokens(600) }], tools: [] };
const unanswered: ModelRequest = {
  messages: [...question.messages, { role: 'tool', tool_call_id: 'nobody', content: 'text' }],
  tools: [],
};

interface Play {
  readonly dialect: DialectName;
  readonly options?: Partial<OpenaiModelOptions>;
  /** True if the dialect reports its window, and the size of a refused request. */
  readonly tells: boolean;
}

const plays: readonly Play[] = [
  { dialect: 'openai', tells: true },
  { dialect: 'openai', options: { api: 'responses' }, tells: true },
  { dialect: 'azure', options: azure, tells: true },
  { dialect: 'openrouter', tells: true },
  { dialect: 'ollama', tells: false },
  { dialect: 'lm-studio', tells: true },
  { dialect: 'vllm', tells: true },
  { dialect: 'llama.cpp', tells: true },
  { dialect: 'deepseek', tells: true },
];

describe('a conversation with a scripted server', () => {
  it.each(plays)(
    'in the dialect $dialect has a call, an answer and two errors',
    async ({ dialect, options, tells }) => {
      server = await ScriptedServer.start({ dialect, window });
      const model = modelAt(server, options);
      server.reply({ reasoning: 'Let me look.', text: 'One moment.', toolCalls: [readFile], usage });
      const first = await replyOf(model);
      expect(first).toMatchObject({
        content: 'One moment.',
        reasoning: 'Let me look.',
        toolCalls: [{ id: 'call_a', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }],
        finishReason: 'tool-calls',
        usage,
      });
      server.reply({ text: 'Done.' });
      expect((await replyOf(model, after(first))).content).toBe('Done.');
      expect(server.refusals).toEqual([]);

      const overflow = await failureOf(model, tooLong);
      expect(overflow.code).toBe('overflow');
      expect([overflow.limit, overflow.actual]).toEqual(
        tells ? [window, server.requests.at(-1)?.tokens] : [undefined, undefined],
      );
      expect((await failureOf(model, unanswered)).message).toContain('answers no call');
      expect(server.refusals.map(({ reason }) => reason)).toEqual(['overflow', 'shape']);
    },
  );

  it('with OpenRouter ends if the server behind OpenRouter fails in the middle of a reply', async () => {
    server = await ScriptedServer.start({ dialect: 'openrouter' });
    server.reply({ text: 'Half', then: { error: { code: 502, message: 'Upstream is down.' } } });
    expect(await failureOf(modelAt(server))).toMatchObject({ code: 'server', status: 502 });
  });

  it('with DeepSeek continues replies of another model without reasoning', async () => {
    server = await ScriptedServer.start({ dialect: 'deepseek', window });
    server.reply({ text: 'Done.' });
    const messages = [{ role: 'assistant' as const, content: 'Yes.' }, ...question.messages];
    expect((await replyOf(modelAt(server), { messages, tools: [] })).content).toBe('Done.');
    expect(server.refusals.map(({ reason }) => reason)).toEqual(['objection']);
  });
});

describe('Azure', () => {
  it('gets the key in its own header, and the API version in the address', async () => {
    server = await ScriptedServer.start({ dialect: 'azure' });
    server.reply({ text: 'Hi' });
    await replyOf(modelAt(server, azure));
    const [request] = server.requests;
    expect(request?.headers['api-key']).toBe(key);
    expect(request?.headers.authorization).toBeUndefined();
    expect(request?.path).toBe('/openai/deployments/scripted/chat/completions?api-version=2024-10-21');
  });

  it('rejects a key that was sent in another way', async () => {
    server = await ScriptedServer.start({ dialect: 'azure' });
    expect((await failureOf(modelAt(server))).code).toBe('unauthorised');
  });
});

describe('a scripted server with a window', () => {
  it('reports its own token count', async () => {
    server = await ScriptedServer.start({ window, answer: () => ({ text: 'Hi' }) });
    const reply = await replyOf(modelAt(server));
    expect(reply.usage?.inputTokens).toBe(server.requests[0]?.tokens);
    expect(reply.usage?.outputTokens).toBeGreaterThan(0);
  });

  it('answers according to the request, in either API', async () => {
    server = await ScriptedServer.start({
      window,
      answer: ({ lastText }) => ({ text: `You said ${lastText}.` }),
    });
    expect((await replyOf(modelAt(server))).content).toBe('You said Hi.');
    expect((await replyOf(modelAt(server, { api: 'responses' }))).content).toBe('You said Hi.');
  });

  it('refuses reasoning that no item follows', async () => {
    server = await ScriptedServer.start({ window });
    const input = [{ type: 'reasoning', summary: [], encrypted_content: 'sealed' }];
    const response = await fetch(`${server.baseUrl}/responses`, {
      method: 'POST',
      body: JSON.stringify({ model: 'scripted', input }),
    });
    expect(response.status).toBe(400);
    expect(server.refusals.map(({ reason }) => reason)).toEqual(['shape']);
  });
});
