import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messagesWire as server } from '../../scripts/agents/server/wires/messages-wire.ts';
import type { Fields } from '../../src/transcripts/reading/fields.ts';
import { messagesWire } from '../../src/wire/messages-wire.ts';
import type { WireMessage } from '../../src/wire/wire.ts';

const path = '/v1/messages';
const mark = { cache_control: { type: 'ephemeral' } };
const thinking = { type: 'thinking', thinking: 'Read it first.', signature: 'c2ln' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'mcp__files__read', input: { path: 'a.ts' } };
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'const a = 1;', ...mark };
const body: Fields = {
  model: 'claude-sonnet-4-5',
  stream: true,
  system: [{ type: 'text', text: 'You write code.', ...mark }],
  tools: [{ name: 'mcp__files__read', description: 'Reads', input_schema: { type: 'object' } }],
  metadata: { user_id: 'user_1_account_2_session_0cef2d80-1203' },
  messages: [
    { role: 'user', content: 'What is in a.ts?' },
    { role: 'assistant', content: [thinking, { type: 'text', text: 'I look.' }, call] },
    { role: 'user', content: [result, { type: 'text', text: 'Be quick.' }] },
  ],
};
const read = (fields: Fields) => messagesWire.readRequest(fields, path)!;
const written = (messages: readonly WireMessage[]) =>
  messagesWire.withMessages(body, messages)['messages'] as readonly Fields[];
const unsent = (chat: WireMessage['chat']): WireMessage => ({ chat, raw: [] });

const word = fc.string({ minLength: 1 });
const image = fc.constant({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'aaaa' },
});
const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({
    type: fc.constant('tool_use'),
    id: word,
    name: word,
    input: fc.dictionary(word, fc.jsonValue()),
  }),
  fc.record({
    type: fc.constant('tool_result'),
    tool_use_id: word,
    content: fc.oneof(fc.string(), fc.array(image)),
  }),
  fc.record({ type: fc.constant('redacted_thinking'), data: word }),
  fc.record({ type: word, content: fc.jsonValue() }),
  image,
);
const generated = fc.record({
  system: fc.oneof(fc.string(), fc.array(fc.record({ type: fc.constant('text'), text: word }))),
  messages: fc.array(
    fc.record({
      role: fc.constantFrom('user', 'assistant', 'system'),
      content: fc.oneof(fc.string(), fc.array(block)),
    }),
  ),
});

describe('a request of Anthropic messages', () => {
  it('is read with sections, results, thinking, the server of a tool and the session', () => {
    const { messages, tools, session } = read(body);
    expect(messages.map(({ chat }) => chat)).toEqual([
      { role: 'system', content: 'You write code.' },
      { role: 'user', content: 'What is in a.ts?' },
      {
        role: 'assistant',
        content: 'I look.',
        reasoning_content: 'Read it first.',
        tool_calls: [
          {
            id: 'toolu_1',
            type: 'function',
            function: { name: 'mcp__files__read', arguments: '{"path":"a.ts"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'const a = 1;' },
      { role: 'user', content: 'Be quick.' },
    ]);
    expect(tools[0]?.server).toBe('files');
    expect(session).toBe('0cef2d80-1203');
  });

  it('has the declaration of a tool that is found on demand where the tool was found', () => {
    const found = { name: 'mcp__files__write', description: 'Writes', input_schema: { type: 'object' } };
    const reference = { type: 'tool_reference', tool_name: 'mcp__files__write' };
    const { messages, tools } = read({
      tools: [...(body['tools'] as readonly Fields[]), { ...found, defer_loading: true, ...mark }],
      messages: [{ role: 'user', content: [{ ...result, content: [reference] }] }],
    });
    expect(tools.map(({ isDeferred }) => isDeferred)).toEqual([undefined, true]);
    expect(messages[0]?.chat.content).toEqual(JSON.stringify(found));
  });

  it('is written back as it was sent', () => {
    fc.assert(
      fc.property(generated, (drawn) => {
        // In parsed JSON, no object occurs twice.
        const fields = JSON.parse(JSON.stringify(drawn)) as Fields;
        expect(messagesWire.withMessages(fields, read(fields).messages)).toEqual(fields);
      }),
    );
  });

  it('keeps signed thinking in front of a call that was changed', () => {
    const messages = read(body).messages.map((message) =>
      message.chat.role === 'assistant' ? unsent(message.chat) : message,
    );
    expect(written(messages)[1]?.['content']).toEqual([thinking, { type: 'text', text: 'I look.' }, call]);
  });

  it('begins with a message of the user, and every call has a result', () => {
    const [, , reply, , prompt] = read(body).messages;
    expect(written([reply!, prompt!]).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(written([reply!, prompt!])[2]?.['content']).toMatchObject([
      { type: 'tool_result', tool_use_id: 'toolu_1' },
      { type: 'text', text: 'Be quick.' },
    ]);
  });

  it('never throws, whatever the body', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('system', 'messages', 'tools', 'metadata'), fc.jsonValue()),
        (fields) => {
          const messages = messagesWire.readRequest(fields, path)?.messages ?? [];
          messagesWire.withMessages(fields, messages);
        },
      ),
    );
  });
});

describe('a reply of Anthropic messages', () => {
  const tool = { name: 'read', schema: {}, declared: {} };
  const replyTo = (stream: boolean, text: string) => {
    const answer = server.answer(
      { text, call: { tool, id: '1', input: { path: text } } },
      { number: 1, path, body: { model: 'claude-sonnet-4-5', stream }, usage: { input: 90, output: 7 } },
    );
    const events =
      'json' in answer
        ? [answer.json]
        : answer.events.map((event) => JSON.parse(event.split('data: ')[1]!) as unknown);
    return events as readonly Fields[];
  };
  const readReply = (events: readonly unknown[]) => {
    const reader = messagesWire.createReplyReader();
    for (const event of events) reader.take(event);
    return reader.reply;
  };

  it('is the same as a stream, whose texts are cut anywhere, and as a whole', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const cut = replyTo(true, text).flatMap((event) => {
          const delta = event['delta'] as Fields | undefined;
          const [name = '', whole = ''] =
            Object.entries(delta ?? {}).find(([key]) => /^(?:text|partial_json)$/u.test(key)) ?? [];
          return name === ''
            ? [event]
            : Array.from(String(whole), (piece) => ({ ...event, delta: { ...delta, [name]: piece } }));
        });
        expect(readReply(cut)).toEqual(readReply(replyTo(false, text)));
      }),
    );
  });

  it('counts cached input as input', () => {
    const usage = {
      input_tokens: 5,
      cache_read_input_tokens: 80,
      cache_creation_input_tokens: 15,
      output_tokens: 1,
    };
    const events = [
      { type: 'message_start', message: { usage } },
      { type: 'message_delta', usage: { output_tokens: 9 } },
    ];
    expect(readReply(events)?.usage).toEqual({
      inputTokens: 100,
      outputTokens: 9,
      cachedInputTokens: 80,
      cacheWriteTokens: 15,
    });
  });

  it('never throws, whatever the events', () => {
    fc.assert(fc.property(fc.array(fc.jsonValue()), (events) => void readReply(events)));
  });
});
