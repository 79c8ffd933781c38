import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { clineFormat } from '../../../../src/transcripts/formats/cline/cline-format.ts';

const read = (messages: readonly unknown[], fields = {}) =>
  clineFormat.parse(JSON.stringify({ version: 1, sessionId: 's', messages, ...fields }, undefined, 1));

describe('importing Cline messages', () => {
  it('begins with the system prompt and turns attached files into text', () => {
    const content = [
      { type: 'text', text: 'sort this' },
      { type: 'file', path: 'list.txt', content: 'b\na' },
    ];
    const imported = read([{ role: 'user', content, ts: 1_700_000_000_000 }], { system_prompt: 'rules' });
    expect(messagesOf(imported)).toMatchObject([
      { role: 'system', content: 'rules', origin: 'harness' },
      {
        role: 'user',
        content: 'sort this\n<file path="list.txt">\nb\na\n</file>',
        origin: 'person',
        createdAt: '2023-11-14T22:13:20.000Z',
      },
    ]);
  });

  it('reads the model and the usage of each reply', () => {
    const metrics = { inputTokens: 100, outputTokens: 5, cacheReadTokens: 80, cacheWriteTokens: 15, cost: 1 };
    const modelInfo = { id: 'anthropic/claude-opus-4.8', provider: 'cline' };
    const imported = read([{ role: 'assistant', content: 'Done.', modelInfo, metrics }]);
    expect(messagesOf(imported)).toMatchObject([
      {
        modelId: 'anthropic/claude-opus-4.8',
        usage: { inputTokens: 100, outputTokens: 5, cachedInputTokens: 80, cacheWriteTokens: 15 },
      },
    ]);
  });

  describe('after a compaction (samples based on the fixtures of the SDK)', () => {
    const text = (words: string) => [{ type: 'text', text: words }];
    const messages = [
      {
        id: 'a',
        role: 'user',
        content: [...text('sort this'), { type: 'file', path: 'l.txt', content: 'b' }],
      },
      { id: 'b', role: 'assistant', content: text('Sorting.') },
      { id: 'c', role: 'user', content: text('on') },
      { id: 'd', role: 'assistant', content: text('Done.') },
      { id: 'e', role: 'user', content: text('thanks') },
    ];
    const withState = (state: unknown) =>
      clineFormat.parse(
        JSON.stringify(
          { session: { version: 1, sessionId: 's', messages }, compaction: state },
          undefined,
          1,
        ),
      );
    const state = (more: object) => ({
      ...{ version: 1, updated_at: '2026-07-17T02:04:41.983Z', source_message_count: 4 },
      ...more,
    });

    it('reads the summary of a model, and the kept messages', () => {
      const metadata = { kind: 'compaction_summary', summary: '## Goal', tokensBefore: 900, generatedAt: 1 };
      const summary = { id: 'x', role: 'user', content: text('Context summary:\n\n## Goal'), metadata };
      const imported = withState(state({ messages: [summary, ...messages.slice(2, 4)] }));
      expect(messagesOf(imported)).toHaveLength(5);
      expect(imported.compactions).toEqual([
        {
          agent: 'cline',
          beforeMessageIndex: 4,
          alsoKept: [2, 3],
          summary: '## Goal',
          tokensBefore: 900,
          createdAt: '2026-07-17T02:04:41.983Z',
        },
      ]);
    });

    it('reads shortened prompts and notices of actions if no model wrote a summary', () => {
      const notice = '<SYSTEM_NOTICE>\nFiles read: l.txt\n</SYSTEM_NOTICE>';
      const metadata = { kind: 'compaction', reason: 'manual_compaction' };
      const left = [
        { ...messages[0], content: [...text('sort this'), ...text(notice)], metadata },
        { ...messages[2], content: [...text('on'), ...text('<SYSTEM_NOTICE/>')] },
        messages[3],
      ];
      expect(withState(state({ messages: left })).compactions).toMatchObject([
        {
          beforeMessageIndex: 4,
          alsoKept: [2, 3],
          summary: `sort this\n\n${notice}\n\n<SYSTEM_NOTICE/>`,
          trigger: 'manual',
        },
      ]);
      expect(withState(state({ messages: messages.slice(2, 4) })).compactions).toMatchObject([
        { alsoKept: [2, 3], summary: '', isCut: true },
      ]);
    });

    it.each([
      ['about more messages than exist', state({ source_message_count: 9, messages: [] })],
      ['without messages', state({})],
      ['that is not valid', 'x'],
    ])('reads no compaction if the neighbouring file is %s', (_what, other) => {
      expect(withState(other).compactions).toEqual([]);
    });

    it('begins with a compaction if the file begins with a summary', () => {
      const metadata = { kind: 'compaction_summary', summary: '## Goal', tokensBefore: 900, generatedAt: 1 };
      const summary = { role: 'user', content: text('Context summary:\n\n## Goal'), metadata };
      const imported = read([summary, ...messages.slice(3)]);
      expect(messagesOf(imported).map(({ content }) => content)).toEqual(['Done.', 'thanks']);
      expect(imported.compactions).toEqual([
        {
          agent: 'cline',
          beforeMessageIndex: 0,
          summary: '## Goal',
          tokensBefore: 900,
          createdAt: '1970-01-01T00:00:00.001Z',
        },
      ]);
    });
  });

  it('separates calls from results, and reads the result format of each tool', () => {
    const imported = read([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'which?' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'a', name: 'read_files', input: { files: ['x'] } },
          { type: 'tool_use', id: 'b', name: 'search', input: {} },
          { type: 'tool_use', id: 'c', name: 'ask' },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            name: 'read_files',
            content: [{ query: 'x', success: true }],
          },
          { type: 'tool_result', tool_use_id: 'b', content: 'no index', is_error: true },
          { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'yes' }] },
          { type: 'text', text: 'go on' },
        ],
      },
    ]);
    const [asked, ...answered] = messagesOf(imported);
    expect(asked).toMatchObject({ role: 'assistant', content: 'I look.', reasoning: 'which?' });
    expect(asked?.tool_calls).toEqual([
      { id: 'a', type: 'function', function: { name: 'read_files', arguments: '{"files":["x"]}' } },
      { id: 'b', type: 'function', function: { name: 'search', arguments: '{}' } },
      { id: 'c', type: 'function', function: { name: 'ask', arguments: '{}' } },
    ]);
    expect(answered).toMatchObject([
      { role: 'tool', tool_call_id: 'a', name: 'read_files', content: '[{"query":"x","success":true}]' },
      { role: 'tool', tool_call_id: 'b', content: 'no index', isError: true },
      { role: 'tool', tool_call_id: 'c', content: 'yes' },
      { role: 'user', content: 'go on' },
    ]);
    expect(answered.map(({ isError }) => isError)).toEqual([undefined, true, undefined, undefined]);
  });

  it('sets the content of a call without text to null', () => {
    const imported = read([{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'x' }] }]);
    expect(messagesOf(imported)).toMatchObject([{ content: null }]);
  });

  it('dates a message without a time by the previous message', () => {
    const imported = read([
      { role: 'user', content: 'first', ts: 1000 },
      { role: 'assistant', content: 'second' },
    ]);
    expect(messagesOf(imported).map(({ createdAt }) => createdAt)).toEqual([
      '1970-01-01T00:00:01.000Z',
      '1970-01-01T00:00:01.000Z',
    ]);
  });

  it.each([
    [3, 'a message is an object with the role user or assistant.'],
    [{ role: 'system', content: '' }, 'a message is an object with the role user or assistant.'],
    [{ role: 'user', content: 3 }, 'the content of a message is a text or an array of parts.'],
    [
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }] },
      'nothing follows from the thought.',
    ],
  ])('skips the message %j and names the line', (malformed, objection) => {
    const imported = read([malformed, { role: 'user', content: 'still here' }]);
    expect(imported.problems).toEqual([`Line 5 was skipped: ${objection}`]);
    expect(messagesOf(imported)).toMatchObject([{ content: 'still here' }]);
  });

  it.each([
    [3, 'a part of a message is an object.'],
    [{ type: 'text' }, 'a text has text.'],
    [{ type: 'thinking' }, 'a thought has thinking.'],
    [{ type: 'file', path: 'x' }, 'a file has path and content.'],
    [{ type: 'tool_use', id: 'a' }, 'a tool call has id and name.'],
    [{ type: 'tool_result' }, 'a tool result has tool_use_id.'],
    [{ type: 'image' }, 'only texts, thoughts, files, tool calls and tool results can be read.'],
  ])('skips the part %j and keeps the rest of its message', (malformed, objection) => {
    const imported = read([{ role: 'user', content: [malformed, { type: 'text', text: 'still here' }] }]);
    expect(imported.problems).toEqual([`Line 8 was skipped: ${objection}`]);
    expect(messagesOf(imported)).toMatchObject([{ content: 'still here' }]);
  });

  it.each([
    ['{"sessionId":"s",\n"messages":\n{}}', 'Line 3: expected a Cline session'],
    ['\n{"messages":[]}', 'Line 2: expected a Cline session'],
    ['[]', 'Line 1: expected a Cline session'],
    ['# notes', 'Line 1: expected a Cline session'],
  ])('states the expected form for %j', (text, message) => {
    expect(() => clineFormat.parse(text)).toThrow(message);
  });
});
