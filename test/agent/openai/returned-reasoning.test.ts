import { describe, expect, it } from 'vitest';
import { after, modelAt, replyOf } from './ask-model.ts';
import type { StreamReply } from './scripted-reply.ts';
import { server, useServer } from './server-for-each-test.ts';

useServer();

const toolCalls = [{ id: 'call_a', name: 'read_file', arguments: { path: 'a.ts' } }];
const call = {
  id: 'call_a',
  type: 'function',
  function: { name: 'read_file', arguments: '{"path":"a.ts"}' },
};

/** The assistant's message as sent back after a reply. */
async function comesBack(reply: StreamReply): Promise<unknown> {
  server.reply(reply, { text: 'Done.' });
  const model = modelAt(server);
  await replyOf(model, after(await replyOf(model)));
  return server.requests[1]?.body.messages[1];
}

describe('reasoning', () => {
  it.each(['reasoning_content', 'reasoning'] as const)(
    'is sent back in the field %s if it arrived in that field',
    async (field) => {
      const said = await comesBack({ reasoning: 'Let me see.', reasoningField: field, chunks: 2, toolCalls });
      expect(said).toEqual({
        role: 'assistant',
        content: '',
        tool_calls: [call],
        [field]: 'Let me see.',
      });
    },
  );

  it('is sent back empty if it arrived empty', async () => {
    const chunkData = [{ choices: [{ delta: { reasoning_content: '' } }] }];
    expect(await comesBack({ chunkData, toolCalls })).toMatchObject({ reasoning_content: '' });
  });

  it('is not sent if the reply had none', async () => {
    expect(await comesBack({ toolCalls })).toEqual({
      role: 'assistant',
      content: '',
      tool_calls: [call],
    });
  });

  it('is sent back as combined details, without the text', async () => {
    const said = await comesBack({
      reasoning: 'Let me see.',
      reasoningField: 'reasoning',
      reasoningItems: [
        { type: 'reasoning.text', text: 'Let ', index: 0, format: 'anthropic-claude-v1' },
        { type: 'reasoning.text', text: 'me see.', index: 0, format: null },
        { type: 'reasoning.text', signature: 'signed', index: 0 },
        { type: 'reasoning.encrypted', data: 'sealed', index: 1 },
        { type: 'reasoning.encrypted', data: 'sealed too', index: 1 },
      ],
      toolCalls,
    });
    expect(said).toEqual({
      role: 'assistant',
      content: '',
      tool_calls: [call],
      reasoning_details: [
        {
          type: 'reasoning.text',
          text: 'Let me see.',
          index: 0,
          format: 'anthropic-claude-v1',
          signature: 'signed',
        },
        { type: 'reasoning.encrypted', data: 'sealed', index: 1 },
        { type: 'reasoning.encrypted', data: 'sealed too', index: 1 },
      ],
    });
  });

  it('is sent back with its call if Gemini signed the call', async () => {
    const extra_content = { google: { thought_signature: 'signed' } };
    const delta = { tool_calls: [{ index: 0, ...call, extra_content }] };
    expect(await comesBack({ chunkData: [{ choices: [{ delta }] }] })).toEqual({
      role: 'assistant',
      content: '',
      tool_calls: [{ ...call, extra_content }],
    });
  });

  it.each([
    ['another endpoint', { endpoint: 'https://elsewhere.example/v1', model: 'scripted' }],
    ['another model', { model: 'another' }],
  ])('of %s is not sent anywhere', async (_who, origin) => {
    server.reply({ text: 'Done.' });
    const items = [{ type: 'text', field: 'reasoning_content' }];
    await replyOf(modelAt(server), {
      messages: [{ role: 'assistant', content: 'Yes.', reasoning_content: 'secret' }],
      tools: [],
      reasoningItems: new Map([[0, { endpoint: server.baseUrl, ...origin, items }]]),
    });
    expect(server.requests[0]?.body.messages).toEqual([{ role: 'assistant', content: 'Yes.' }]);
  });
});

describe('a server that refuses reasoning', () => {
  it.each([
    // Groq.
    ["'messages.1' : property 'reasoning_content' is unsupported"],
    // Mistral.
    ['body.messages.1.assistant.reasoning_content: Extra inputs are not permitted'],
    // Gemini.
    ['Invalid JSON payload received. Unknown name "reasoning_content" at \'messages[1]\'.'],
  ])('with the message %s gets no more reasoning', async (message) => {
    const refusal = { status: 400, body: { error: { message } } };
    server.reply({ reasoning: 'Hm.', toolCalls }, refusal, { text: 'One.' }, { text: 'Two.' });
    const model = modelAt(server);
    const next = after(await replyOf(model));
    await replyOf(model, next);
    await replyOf(model, next);
    const sent = server.requests.slice(1).map(({ body }) => JSON.stringify(body).includes('reasoning'));
    expect(sent).toEqual([true, false, false]);
  });
});

describe('a server that requires reasoning', () => {
  it.each([
    // DeepSeek, its newer models and its older ones.
    ['The `reasoning_content` in the thinking mode must be passed back to the API.'],
    ['Missing `reasoning_content` field in the assistant message at message index 1.'],
    // Moonshot.
    ['thinking is enabled but reasoning_content is missing in assistant tool call message at index 1'],
    [
      'preserved thinking (thinking.keep=all) requires reasoning_content on every assistant message, but assistant message at index 1 is missing reasoning_content',
    ],
  ])('with the message %s gets empty reasoning with replies of other models', async (message) => {
    server.reply({ toolCalls }, { status: 400, body: { error: { message } } }, { text: 'Done.' });
    const model = modelAt(server);
    await replyOf(model, after(await replyOf(model)));
    expect(server.requests[2]?.body.messages[1]).toMatchObject({ reasoning_content: '' });
  });
});
