import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { litellmFormat } from '../../../src/transcripts/formats/chat-log-formats.ts';

const text = (said: string) => [{ type: 'text', text: said }];
const call = { id: 'c1', type: 'function', function: { name: 'run', arguments: '{}' } };
const log = (messages: readonly unknown[], message: unknown, more: object = {}) =>
  JSON.stringify({ messages, response: { choices: [{ message }] }, latency_sec: 1, ...more }, undefined, 1);
const reply = { role: 'assistant', content: 'Done.', tool_calls: null };

describe('importing LiteLLM logs', () => {
  it('reads the request and the response to it', () => {
    const tools = [{ type: 'function', function: { name: 'run' } }];
    const messages = [
      { role: 'system', content: text('You help.') },
      { role: 'user', content: text('list the files') },
      { role: 'assistant', content: [], tool_calls: [call], reasoning_content: 'ls' },
      { role: 'tool', content: text('a.ts'), tool_call_id: 'c1', name: 'run' },
    ];
    const imported = litellmFormat.parse(log(messages, reply, { tools, timestamp: 1_770_091_506.25 }));
    expect(imported).toMatchObject({ tools, problems: [] });
    const createdAt = '2026-02-03T04:05:06.250Z';
    expect(messagesOf(imported)).toEqual([
      { id: 'm1', role: 'system', content: 'You help.', origin: 'harness', createdAt },
      { id: 'm2', role: 'user', content: 'list the files', origin: 'person', createdAt },
      {
        id: 'm3',
        role: 'assistant',
        content: null,
        reasoning: 'ls',
        tool_calls: [call],
        origin: 'model',
        createdAt,
      },
      { id: 'm4', role: 'tool', content: 'a.ts', tool_call_id: 'c1', name: 'run', origin: 'tool', createdAt },
      { id: 'm5', role: 'assistant', content: 'Done.', origin: 'model', createdAt },
    ]);
  });

  it('reads the model, the usage and the window', () => {
    const response = {
      model: 'proxy/claude-sonnet-4',
      usage: { prompt_tokens: 90, completion_tokens: 5 },
      choices: [{ message: reply }],
    };
    const imported = litellmFormat.parse(log([], reply, { response, context_window: 200_000 }));
    expect(imported.window).toBe(200_000);
    expect(messagesOf(imported)).toMatchObject([
      { modelId: 'proxy/claude-sonnet-4', usage: { inputTokens: 90, outputTokens: 5 } },
    ]);
  });

  it('reads a request without a response', () => {
    const empty = JSON.stringify({
      messages: [{ role: 'user', content: 'hi' }],
      response: {},
      latency_sec: 1,
    });
    expect(messagesOf(litellmFormat.parse(empty))).toMatchObject([{ content: 'hi' }]);
  });

  it.each([
    [3, 'a message is an object.'],
    [{ role: 'narrator' }, 'a message has a role, one of system, user, assistant, tool.'],
    [{ role: 'user', content: 3 }, 'the content of a message is a text, null or an array of parts.'],
    [{ role: 'tool', content: 'x' }, 'a tool result has a tool_call_id.'],
    [
      { role: 'assistant', tool_calls: 3 },
      'tool calls are an array of { id, function: { name, arguments } }.',
    ],
  ])('skips %j and names the line', (malformed, objection) => {
    const imported = litellmFormat.parse(log([malformed], reply));
    expect(imported.problems).toEqual([`Line 3 was skipped: ${objection}`]);
    expect(messagesOf(imported)).toMatchObject([{ content: 'Done.' }]);
  });

  it.each([
    ['{"messages":[]}', 'Line 1: expected a LiteLLM log'],
    ['{\n"messages":', 'Line 2: expected a LiteLLM log'],
  ])('states the expected form for %j', (file, message) => {
    expect(() => litellmFormat.parse(file)).toThrow(message);
  });
});
