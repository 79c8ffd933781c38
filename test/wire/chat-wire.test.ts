import { describe, expect, it } from 'vitest';
import { chatWire } from '../../src/wire/chat-wire.ts';
import type { WireMessage } from '../../src/wire/wire.ts';

const read = (...messages: readonly object[]) => chatWire.readRequest({ messages }, '')!.messages;
const chatOf = (message: object) => read(message)[0]!.chat;

function replyTo(...events: readonly object[]) {
  const reader = chatWire.createReplyReader();
  for (const event of events) reader.take(event);
  return reader.reply;
}
const delta = (fields: object) => ({ choices: [{ index: 0, delta: fields }] });

describe('OpenAI chat completions', () => {
  it.each([
    ['/v1/chat/completions', 'reply'],
    ['/openai/deployments/a-model/chat/completions', 'reply'],
    ['/chat/completions', 'reply'],
    ['/v1/completions', undefined],
    ['/v1/responses', undefined],
  ])('asks at %s for: %s', (path, expected) => {
    expect(chatWire.asks(path)).toBe(expected);
  });

  it('are not what a body without messages asks for', () => {
    expect(chatWire.readRequest({ messages: 'Go.' }, '')).toBeUndefined();
  });

  it.each([
    ['reasoning_content', { reasoning_content: 'I think.' }],
    ['reasoning', { reasoning: 'I think.' }],
    [
      'reasoning_details',
      { reasoning_details: [{ type: 'reasoning.text', text: 'I ' }, { summary: 'think.' }] },
    ],
    ['parts of the content', { content: [{ type: 'thinking', thinking: [{ text: 'I think.' }] }] }],
  ])('have reasoning in %s', (_, fields) => {
    const chat = { role: 'assistant', content: null, reasoning_content: 'I think.' };
    expect(chatOf({ role: 'assistant', ...fields })).toEqual(chat);
    expect(replyTo(delta(fields))?.chat).toEqual(chat);
  });

  it('have a call of the first form, with its name as id', () => {
    const [called, result] = read(
      { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{}' } },
      { role: 'function', name: 'read', content: 'text' },
    );
    expect(called?.chat.tool_calls).toMatchObject([{ id: 'read', function: { name: 'read' } }]);
    expect(result?.chat).toEqual({ role: 'tool', content: 'text', tool_call_id: 'read' });
  });

  it('count an unknown part as text, and a file as what it is', () => {
    const parts = [
      { type: 'text', text: 'Look.' },
      { type: 'place', at: 1 },
      { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ];
    expect(chatOf({ role: 'user', content: parts }).content).toEqual([
      parts[0],
      { type: 'text', text: '{"type":"place","at":1}' },
      ...parts.slice(2),
    ]);
  });

  it('declare tools of servers, custom tools and tools of the provider', () => {
    const named = { type: 'function', function: { name: 'mcp__git__log', parameters: { type: 'object' } } };
    const format = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } };
    const tools = [
      named,
      { type: 'custom', custom: { name: 'patch', description: 'Patches.', format } },
      { type: 'web_search', limit: 3 },
    ];
    expect(chatWire.readRequest({ messages: [], tools }, '')!.tools).toMatchObject([
      { schema: named, server: 'git' },
      { schema: { function: { name: 'patch', description: 'Patches.', parameters: { format } } } },
      { schema: { function: { name: 'web_search', parameters: { limit: 3 } } } },
    ]);
  });
});

describe('a streamed reply of chat completions', () => {
  const piece = (fields: object) => delta({ tool_calls: [fields] });

  it('joins the pieces of its calls', () => {
    const reply = replyTo(
      piece({ index: 0, id: 'a', function: { name: 'read', arguments: '' } }),
      piece({ index: 1, id: 'b', function: { name: 'list', arguments: '{"of"' } }),
      piece({ index: 0, function: { arguments: '{}' } }),
      piece({ index: 1, function: { arguments: ':1}' } }),
    );
    expect(reply?.chat.tool_calls).toMatchObject([
      { id: 'a', function: { name: 'read', arguments: '{}' } },
      { id: 'b', function: { name: 'list', arguments: '{"of":1}' } },
    ]);
  });

  it('tells calls apart that a server sends at one index', () => {
    const reply = replyTo(
      piece({ index: 0, id: 'a', function: { name: 'read', arguments: '{}' } }),
      piece({ index: 0, id: 'b', function: { name: 'read', arguments: '{}' } }),
    );
    expect(reply?.chat.tool_calls?.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('has the usage of its last chunk, with cached tokens', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 8 } };
    expect(replyTo(delta({ content: 'Yes.' }), { choices: [], usage })).toMatchObject({
      usage: { inputTokens: 9, outputTokens: 2, cachedInputTokens: 8 },
    });
  });

  it('keeps what was said before an error', () => {
    expect(replyTo(delta({ content: 'Ye' }), { error: { message: 'Too\nbusy.' } })).toEqual({
      chat: { role: 'assistant', content: 'Ye' },
      isComplete: false,
      error: 'Too busy.',
    });
  });

  it('is none if nothing was said', () => {
    expect(replyTo({ model: 'a-model', choices: [] })).toBeUndefined();
  });
});

describe('a view over chat completions', () => {
  const caller = {
    role: 'assistant',
    content: 'First I read the file, and then I think about it.',
    reasoning_content: 'I think.',
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' }, extra_content: { sign: 1 } },
    ],
  };
  const body = {
    model: 'a-model',
    messages: [
      {
        role: 'system',
        content: [{ type: 'text', text: 'You code.', cache_control: { type: 'ephemeral' } }],
      },
      { role: 'user', content: 'Go.' },
      caller,
      { role: 'tool', name: 'read', tool_call_id: 'a', content: 'A long text.' },
    ],
    stream: true,
  };
  const [system, user, assistant, result] = chatWire.readRequest(body, '')!.messages as [
    WireMessage,
    WireMessage,
    WireMessage,
    WireMessage,
  ];
  const own = ({ chat: { reasoning_content: _, ...chat } }: WireMessage, content: string): WireMessage => ({
    chat: { ...chat, content },
    raw: [],
  });

  it('keeps reasoning and signatures of a shortened reply, and the name of a shortened result', () => {
    const view = [system, user, own(assistant, 'First …'), own(result, 'A …')];
    expect(chatWire.withMessages(body, view)).toEqual({
      ...body,
      messages: [
        ...body.messages.slice(0, 2),
        { ...caller, content: 'First …' },
        { ...body.messages[3], content: 'A …' },
      ],
    });
  });

  it('writes a summary in place of messages, and leaves the other fields in their order', () => {
    const summary: WireMessage = { chat: { role: 'user', content: 'Summary.' }, raw: [] };
    const written = chatWire.withMessages(body, [system, summary]);
    expect(written['messages']).toEqual([body.messages[0], { role: 'user', content: 'Summary.' }]);
    expect(Object.keys(written)).toEqual(Object.keys(body));
  });

  it('writes an exchange that the body does not have', () => {
    const messages: readonly WireMessage[] = [
      {
        chat: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        raw: [],
      },
      { chat: { role: 'tool', content: 'r', tool_call_id: 'x' }, raw: [] },
    ];
    expect(chatWire.withMessages(body, messages)['messages']).toEqual(messages.map(({ chat }) => chat));
  });
});
