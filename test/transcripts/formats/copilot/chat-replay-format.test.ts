import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { chatReplayFormat } from '../../../../src/transcripts/formats/copilot/chat-replay-format.ts';

const call = { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } };
const system = {
  role: 0,
  content: [
    { type: 1, text: 'rules' },
    { type: 3, cacheType: 'ephemeral' },
  ],
};
const asked = { role: 1, content: [{ type: 1, text: 'what is in a?' }] };
const called = { role: 2, content: [{ type: 1, text: '' }], toolCalls: [call] };
const answered = { role: 3, toolCallId: 'c1', content: [{ type: 1, text: 'nothing' }] };

const request = (
  minute: number,
  messages: readonly unknown[],
  reply: string,
  tools: readonly unknown[] = [],
) => ({
  kind: 'request',
  metadata: { startTime: `2025-01-01T10:0${minute}:00Z`, endTime: `2025-01-01T10:0${minute}:30Z`, tools },
  requestMessages: { messages },
  response: { type: 'success', message: [reply] },
});
const toolCall = {
  kind: 'toolCall',
  id: 'c1__vscode-12',
  tool: 'read_file',
  args: '{"path":"a"}',
  time: '2025-01-01T10:00:40Z',
  response: ['noth', 'ing'],
};
const reported = (log: ReturnType<typeof request>, input: number) => ({
  ...log,
  metadata: {
    ...log.metadata,
    model: 'claude-sonnet-4',
    maxPromptTokens: 127_997,
    usage: { prompt_tokens: input, completion_tokens: 5 },
  },
});
const read = (...logs: readonly unknown[]) =>
  chatReplayFormat.parse(JSON.stringify({ prompts: [{ prompt: 'x', logs }] }, undefined, 1));

describe('importing Copilot chat replays', () => {
  it('gives each reply the usage of its own request', () => {
    const imported = read(
      reported(request(0, [system, asked], ''), 100),
      toolCall,
      reported(request(1, [system, asked, called, answered], 'It is empty.'), 200),
      reported(request(2, [system, { ...asked, content: 'other' }], 'A title'), 300),
    );
    expect(imported.window).toBe(127_997);
    const replies = messagesOf(imported).filter(({ role }) => role === 'assistant');
    expect(replies).toMatchObject([
      { modelId: 'claude-sonnet-4', usage: { inputTokens: 100, outputTokens: 5 } },
      { modelId: 'claude-sonnet-4', usage: { inputTokens: 200, outputTokens: 5 } },
    ]);
  });

  it('reads the messages and tools of the longest request, and the reply to it', () => {
    const tool = { type: 'function', function: { name: 'read_file' } };
    const imported = read(
      { kind: 'element', id: 'e' },
      request(0, [system, asked], ''),
      toolCall,
      request(1, [system, asked, called, answered], 'It is empty.', [tool]),
      request(2, [system, asked], 'A title'),
    );
    expect(imported).toMatchObject({ tools: [tool], problems: [] });
    expect(messagesOf(imported)).toMatchObject([
      { role: 'system', content: 'rules', origin: 'harness', createdAt: '2025-01-01T10:00:00.000Z' },
      { role: 'user', content: 'what is in a?', origin: 'person', createdAt: '2025-01-01T10:00:00.000Z' },
      { role: 'assistant', content: null, tool_calls: [call], createdAt: '2025-01-01T10:01:00.000Z' },
      { role: 'tool', content: 'nothing', tool_call_id: 'c1', origin: 'tool' },
      { role: 'assistant', content: 'It is empty.', origin: 'model', createdAt: '2025-01-01T10:01:30.000Z' },
    ]);
  });

  it('reads the last tool calls from the log', () => {
    const messages = messagesOf(read(request(0, [system, asked], 'I look.'), toolCall));
    expect(messages.slice(2)).toMatchObject([
      { role: 'assistant', content: 'I look.', tool_calls: [call] },
      { role: 'tool', content: 'nothing', tool_call_id: 'c1', createdAt: '2025-01-01T10:00:40.000Z' },
    ]);
  });

  it('reads no reply to a failed request', () => {
    const failed = { ...request(0, [asked], ''), response: { type: 'failed', message: ['no network'] } };
    expect(messagesOf(read(failed))).toMatchObject([{ role: 'user' }]);
  });

  it.each([
    [3, 'a message is an object.'],
    [{ role: 9, content: 'x' }, 'the role of a message is a number from 0 to 3.'],
    [{ role: 1 }, 'the content of a message is a text or an array of parts.'],
    [{ role: 3, content: 'x' }, 'a tool result has a toolCallId.'],
    [
      { role: 2, content: 'x', toolCalls: [3] },
      'tool calls are an array of { id, function: { name, arguments } }.',
    ],
  ])('skips %j and names the line', (malformed, objection) => {
    const imported = read(request(0, [malformed, asked], ''));
    expect(imported.problems).toEqual([`Line 15 was skipped: ${objection}`]);
    expect(messagesOf(imported)).toMatchObject([{ content: 'what is in a?' }]);
  });

  it('skips a picture and keeps the text next to it', () => {
    const content = [
      { type: 0, imageUrl: {} },
      { type: 1, text: 'see' },
    ];
    const imported = read(request(0, [{ role: 1, content }], ''));
    expect(imported.problems).toEqual([
      'Line 18 was skipped: of the parts of a message only texts can be read.',
    ]);
    expect(messagesOf(imported)).toMatchObject([{ content: 'see' }]);
  });

  it('skips invalid prompts, logs, requests and tools', () => {
    const logs = [3, { kind: 'request' }, request(0, [asked], '', [{ function: {} }])];
    const imported = chatReplayFormat.parse(JSON.stringify({ prompts: [{}, { logs }] }, undefined, 1));
    expect(imported.problems).toEqual([
      'Line 3 was skipped: a prompt has an array of logs.',
      'Line 6 was skipped: a log is an object.',
      'Line 7 was skipped: a request has requestMessages with an array of messages.',
      'Line 16 was skipped: a tool has a function with a name.',
    ]);
  });

  it.each([
    ['[]', 'Line 1: expected a Copilot chat replay'],
    ['{\n"prompts": 3}', 'Line 2: expected a Copilot chat replay'],
    ['{\n"prompts": []}', 'Line 2: expected at least one request with messages'],
    ['{"a":1}\n{"a":2}', 'Line 2: expected a Copilot chat replay'],
  ])('states the expected form for %j', (text, message) => {
    expect(() => chatReplayFormat.parse(text)).toThrow(message);
  });
});
