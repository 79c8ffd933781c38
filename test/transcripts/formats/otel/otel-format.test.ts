import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { readTranscript as importTranscript } from '../../../../src/library/foreign-transcripts.ts';
import { formatSamples } from '../../../support/format-samples.ts';

/** Lines in the form of Copilot's exporter to a file, made by hand. */
const request = (text: string, attributes: object = {}) => {
  const input = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: text }] }]);
  return `${JSON.stringify({ attributes: { 'gen_ai.request.model': 'x', 'gen_ai.input.messages': input, ...attributes } })}\n`;
};
const inChat = (id: string) => ({ 'copilot_chat.chat_session_id': id });

describe('telemetry of Copilot Chat', () => {
  it('contains the newest request, with tools, window, reply and reported usage', () => {
    const imported = importTranscript(formatSamples['otel'] ?? '');
    expect(messagesOf(imported)).toMatchObject([
      { role: 'system', content: 'rules' },
      { role: 'user', origin: 'person', content: 'read this' },
      {
        tool_calls: [{ id: 'c1', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }],
        reasoning: 'which?',
      },
      { role: 'tool', tool_call_id: 'c1', content: 'export const a = 1;' },
      {
        content: 'It exports a.',
        modelId: 'x',
        usage: { inputTokens: 9, outputTokens: 3, cachedInputTokens: 4 },
      },
    ]);
    expect(imported.tools).toMatchObject([{ function: { name: 'read_file' } }]);
    expect(imported.window).toBe(100);
  });

  it('contains the chat of the last request, and other chats as separate conversations', () => {
    const ofSubAgent = { ...inChat('c'), 'copilot_chat.parent_chat_session_id': 'b' };
    const text = request('old', inChat('a')) + request('new', inChat('b')) + request('helper', ofSubAgent);
    const imported = importTranscript(text);
    expect(messagesOf(imported).map(({ content }) => content)).toEqual(['new']);
    expect(imported.others?.map(({ kind, id, opening }) => [kind, id, opening])).toEqual([
      ['sub-agent', 'c', 'helper'],
      ['branch', 'a', 'old'],
    ]);
  });

  it('does not treat the request for a title as the chat', () => {
    const tools = { 'gen_ai.tool.definitions': '[{"name":"read_file"}]' };
    const text = request('asked', { ...inChat('a'), ...tools }) + request('a title for this', inChat('a'));
    expect(messagesOf(importTranscript(text)).map(({ content }) => content)).toEqual(['asked']);
  });

  it('names the setting to turn on if it contains no messages', () => {
    const line = JSON.stringify({
      attributes: { 'gen_ai.request.model': 'x', 'gen_ai.usage.input_tokens': 9 },
    });
    expect(() => importTranscript(line)).toThrow('github.copilot.chat.otel.captureContent');
  });
});

const says = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });

/** Attributes as OTLP/JSON writes them. */
const listed = (attributes: object) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value as string },
  }));

const exported = (...spans: readonly object[]) =>
  `${JSON.stringify({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans }] }] })}\n`;

const span = (spanId: string, attributes: object, more: object = {}) => ({
  traceId: 't1',
  spanId,
  name: 'chat x',
  attributes: listed(attributes),
  ...more,
});

const chat = (text: string, more: object = {}) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'x',
  'gen_ai.input.messages': JSON.stringify([says('user', text)]),
  'gen_ai.output.messages': JSON.stringify([says('assistant', `${text}!`)]),
  ...more,
});

const contentsOf = (text: string, conversation?: string) =>
  messagesOf(importTranscript(text, 'auto', conversation)).map(({ content }) => content);

describe('telemetry in OTLP/JSON', () => {
  it.each([
    ['the conventions', 'cache_read.input_tokens', 'cache_creation.input_tokens'],
    ['OpenLLMetry', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
  ])('contains replies and the reported usage, with the cache named as in %s', (_, read, written) => {
    const usage = {
      'gen_ai.usage.input_tokens': 9,
      'gen_ai.usage.output_tokens': 3,
      [`gen_ai.usage.${read}`]: 4,
      [`gen_ai.usage.${written}`]: 2,
    };
    const imported = importTranscript(exported(span('s1', chat('hello', usage))));
    expect(imported.format).toBe('otel');
    expect(messagesOf(imported)).toMatchObject([
      { role: 'user', content: 'hello', origin: 'person' },
      {
        role: 'assistant',
        content: 'hello!',
        modelId: 'x',
        usage: { inputTokens: 9, outputTokens: 3, cachedInputTokens: 4, cacheWriteTokens: 2 },
      },
    ]);
  });

  it('can be read under the id that it had as telemetry of Copilot Chat', () => {
    expect(importTranscript(exported(span('s1', chat('hello'))), 'copilot-otel').format).toBe('otel');
  });

  it('contains each conversation of a trace, and a sub-agent by the spans around it', () => {
    const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.conversation.id': 'c1' };
    const inConversation = { 'gen_ai.conversation.id': 'c1' };
    const text = exported(
      span('helper-chat', chat('look', inConversation), { parentSpanId: 'helper' }),
      span('helper', agent, { parentSpanId: 'call' }),
      span('call', { 'gen_ai.operation.name': 'execute_tool' }, { parentSpanId: 'main' }),
      span('other-chat', chat('other', { 'gen_ai.conversation.id': 'c2' })),
      span('main-chat', chat('asked', inConversation), { parentSpanId: 'main' }),
      span('main', agent),
    );
    const imported = importTranscript(text);
    expect(messagesOf(imported)[0]).toMatchObject({ content: 'asked' });
    expect(imported.others?.map(({ kind, id }) => [kind, id])).toEqual([
      ['branch', 'c2'],
      ['sub-agent', 'c1/helper'],
    ]);
    expect(contentsOf(text, 'c1/helper')).toEqual(['look', 'look!']);
  });

  it('is not caught in spans that are their own parents', () => {
    const text = exported(
      span('s1', chat('hello'), { parentSpanId: 's2' }),
      span('s2', {}, { parentSpanId: 's1' }),
    );
    expect(contentsOf(text)).toEqual(['hello', 'hello!']);
  });

  it('joins an event with the messages to the span in which it was written', () => {
    const { 'gen_ai.input.messages': input, ...attributes } = chat('hello');
    const log = { traceId: 't1', spanId: 's1', eventName: 'gen_ai.client.inference.operation.details' };
    const logs = {
      resourceLogs: [
        { scopeLogs: [{ logRecords: [{ ...log, attributes: listed({ 'gen_ai.input.messages': input }) }] }] },
      ],
    };
    const text = `${JSON.stringify(logs)}\n${exported(span('s1', attributes))}`;
    expect(messagesOf(importTranscript(text))).toMatchObject([{ content: 'hello' }, { modelId: 'x' }]);
  });

  it('reads a document that is indented', () => {
    const text = JSON.stringify(JSON.parse(exported(span('s1', chat('hello')))), null, 2);
    expect(contentsOf(text)).toEqual(['hello', 'hello!']);
  });
});

describe('telemetry of other programs', () => {
  it('contains messages that are separate events, by older conventions', () => {
    const event = (name: string, body: object) => ({
      name: '',
      eventName: name,
      traceId: 't1',
      spanId: 's1',
      body,
      attributes: { 'gen_ai.operation.name': 'chat' },
    });
    const call = { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{}' } };
    const text = [
      event('gen_ai.system.message', { content: 'rules' }),
      event('gen_ai.user.message', { content: 'read this' }),
      event('gen_ai.assistant.message', { tool_calls: [call] }),
      event('gen_ai.tool.message', { id: 'c1', content: 'x = 1' }),
      event('gen_ai.choice', { index: 0, message: { content: 'It is 1.' } }),
    ];
    expect(
      messagesOf(importTranscript(text.map((line) => `${JSON.stringify(line)}\n`).join(''))),
    ).toMatchObject([
      { role: 'system', content: 'rules' },
      { role: 'user', content: 'read this' },
      { tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'x = 1' },
      { role: 'assistant', content: 'It is 1.' },
    ]);
  });

  it('contains messages in numbered attributes, as OpenLLMetry writes them', () => {
    const text = exported(
      span('s1', {
        'gen_ai.prompt.0.role': 'user',
        'gen_ai.prompt.0.content': 'read this',
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.tool_calls.0.id': 'c1',
        'gen_ai.completion.0.tool_calls.0.name': 'read_file',
        'gen_ai.completion.0.tool_calls.0.arguments': '{}',
      }),
    );
    expect(messagesOf(importTranscript(text))).toMatchObject([
      { content: 'read this' },
      { tool_calls: [{ id: 'c1', function: { name: 'read_file', arguments: '{}' } }] },
    ]);
  });

  it('contains the requests and replies that Claude Code writes whole, with its sub-agents', () => {
    const body = (name: string, value: object, source = 'repl_main_thread') => ({
      attributes: listed({
        'event.name': name,
        'session.id': 's',
        query_source: source,
        body: JSON.stringify(value),
      }),
    });
    const request = {
      model: 'y',
      system: [{ type: 'text', text: 'rules' }],
      tools: [{ name: 'Read', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: 'read this' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'Read', input: { path: 'a' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'x = 1' }] },
      ],
    };
    const reply = {
      content: [{ type: 'text', text: 'It is 1.' }],
      usage: { input_tokens: 3, output_tokens: 2, cache_read_input_tokens: 5 },
    };
    const logRecords = [
      body('api_request_body', request),
      body('api_request_body', { messages: [{ role: 'user', content: 'search' }] }, 'agent:Explore'),
      body('api_response_body', reply),
    ];
    const imported = importTranscript(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }));
    expect(messagesOf(imported)).toMatchObject([
      { role: 'system', content: 'rules' },
      { content: 'read this' },
      { tool_calls: [{ id: 'c1', function: { name: 'Read', arguments: '{"path":"a"}' } }] },
      { role: 'tool', content: 'x = 1' },
      { content: 'It is 1.', modelId: 'y', usage: { inputTokens: 8, outputTokens: 2, cachedInputTokens: 5 } },
    ]);
    expect(imported.tools).toMatchObject([{ function: { name: 'Read' } }]);
    expect(imported.others?.map(({ kind, id }) => [kind, id])).toEqual([['sub-agent', 's/agent:Explore']]);
  });

  it('contains the requests and replies that Gemini CLI writes as texts of its API, with its sub-agents', () => {
    const event = (name: string, role: string, more: object) => ({
      traceId: 't1',
      spanId: 'call',
      attributes: listed({
        'event.name': `gemini_cli.${name}`,
        'session.id': 's',
        model: 'y',
        role,
        ...more,
      }),
    });
    const asks = (role: string, ...contents: object[]) =>
      event('api_request', role, { request_text: JSON.stringify(contents) });
    const answers = (role: string, ...pieces: object[]) =>
      event('api_response', role, {
        response_text: JSON.stringify(
          pieces.map((part) => ({ candidates: [{ content: { parts: [part] } }] })),
        ),
        input_token_count: 9,
        output_token_count: 2,
        thoughts_token_count: 3,
        cached_content_token_count: 4,
      });
    const question = { role: 'user', parts: [{ text: 'read this' }] };
    const call = { id: 'c1', name: 'read_file', args: { path: 'a' } };
    const response = { id: 'c1', name: 'read_file', response: { output: 'x = 1' } };
    const logRecords = [
      asks(
        'main',
        question,
        { role: 'model', parts: [{ functionCall: call, thoughtSignature: 'sig' }] },
        { role: 'user', parts: [{ functionResponse: response }] },
      ),
      asks('subagent', { role: 'user', parts: [{ text: 'search' }] }),
      answers('main', { text: 'hm', thought: true }, { text: 'It ' }, { text: 'is 1.' }),
    ];
    const tools = [
      { functionDeclarations: [{ name: 'read_file', parametersJsonSchema: { type: 'object' } }] },
    ];
    const around = span('call', {
      'gen_ai.system_instructions': JSON.stringify('rules'),
      'gen_ai.tool.definitions': JSON.stringify(tools),
    });
    const logs = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
    const imported = importTranscript(`${exported(around)}${logs}`);
    expect(messagesOf(imported)).toMatchObject([
      { role: 'system', content: 'rules' },
      { role: 'user', content: 'read this' },
      { tool_calls: [{ id: 'c1', function: { name: 'read_file', arguments: '{"path":"a"}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'x = 1' },
      {
        content: 'It is 1.',
        reasoning: 'hm',
        modelId: 'y',
        usage: { inputTokens: 9, outputTokens: 5, cachedInputTokens: 4 },
      },
    ]);
    expect(imported.tools).toMatchObject([
      { function: { name: 'read_file', parameters: { type: 'object' } } },
    ]);
    expect(imported.others?.map(({ kind, id }) => [kind, id])).toEqual([['sub-agent', 's/subagent']]);
  });

  it("contains the model's messages of Gemini CLI, indented records in which they have the role of the system", () => {
    const input = [
      says('user', 'read this'),
      { role: 'system', parts: [{ type: 'tool_call', name: 'read_file', arguments: '{}' }] },
      { role: 'user', parts: [{ type: 'tool_call_response', response: '{"output":"x = 1"}' }] },
    ];
    const attributes = {
      'session.id': 's',
      'event.name': 'gen_ai.client.inference.operation.details',
      'gen_ai.request.model': 'x',
      'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'rules' }]),
      'gen_ai.input.messages': JSON.stringify(input),
      'gen_ai.output.messages': JSON.stringify([says('system', 'It is 1.')]),
    };
    const records = [{ attributes: { 'event.name': 'gemini_cli.config' } }, { attributes }];
    const text = records.map((record) => `${JSON.stringify(record, null, 2)}\n`).join('');
    expect(messagesOf(importTranscript(text))).toMatchObject([
      { role: 'system', content: 'rules' },
      { role: 'user', content: 'read this' },
      { role: 'assistant', tool_calls: [{ id: 'call-1', function: { name: 'read_file' } }] },
      { role: 'tool', tool_call_id: 'call-1', content: '{"output":"x = 1"}' },
      { role: 'assistant', content: 'It is 1.' },
    ]);
  });
});
