import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../src/compaction/transcript.ts';
import { claudeCodeFormat } from '../../src/transcripts/claude-code-format.ts';

const timestamp = '2026-02-03T04:05:06.000Z';
const read = (...events: readonly unknown[]) =>
  claudeCodeFormat.parse(events.map((event) => JSON.stringify(event)).join('\n'));
const user = (content: unknown, more: object = {}) => ({
  parentUuid: null,
  sessionId: 's1',
  type: 'user',
  message: { role: 'user', content },
  uuid: 'u1',
  timestamp,
  ...more,
});
const assistant = (id: string, ...content: readonly unknown[]) => ({
  parentUuid: 'u1',
  sessionId: 's1',
  type: 'assistant',
  message: { id, role: 'assistant', content },
  timestamp,
});
const thinking = (thought: string) => ({ type: 'thinking', thinking: thought, signature: 'x' });
const text = (said: string) => ({ type: 'text', text: said });
const call = (id: string, path: string) => ({ type: 'tool_use', id, name: 'Read', input: { path } });
const result = (id: string, content: unknown, more: object = {}) =>
  user([{ type: 'tool_result', tool_use_id: id, content, ...more }]);

describe('importing Claude Code sessions', () => {
  it('makes one message of the lines of a reply, its results behind it in the order of the calls', () => {
    const imported = read(
      user('look at both files'),
      assistant('r1', thinking('which first?')),
      assistant('r1', text('I read them.')),
      assistant('r1', call('c1', 'a.ts')),
      result('c1', 'alpha'),
      assistant('r1', call('c2', 'b.ts'), call('c3', 'c.ts')),
      result('c3', [text('gamma'), text('delta')]),
      result('c2', 'no such file', { is_error: true }),
      assistant('r2', text('Done.')),
    );
    const toolCall = (id: string, path: string) => ({
      id,
      type: 'function',
      function: { name: 'Read', arguments: JSON.stringify({ path }) },
    });
    expect(imported.problems).toEqual([]);
    expect(messagesOf(imported)).toEqual([
      { id: 'm1', role: 'user', content: 'look at both files', origin: 'person', createdAt: timestamp },
      {
        id: 'm2',
        role: 'assistant',
        content: 'I read them.',
        reasoning: 'which first?',
        tool_calls: [toolCall('c1', 'a.ts'), toolCall('c2', 'b.ts'), toolCall('c3', 'c.ts')],
        origin: 'model',
        createdAt: timestamp,
      },
      { id: 'm3', role: 'tool', tool_call_id: 'c1', content: 'alpha', origin: 'tool', createdAt: timestamp },
      {
        id: 'm4',
        role: 'tool',
        tool_call_id: 'c2',
        content: 'no such file',
        origin: 'tool',
        createdAt: timestamp,
        isError: true,
      },
      {
        id: 'm5',
        role: 'tool',
        tool_call_id: 'c3',
        content: 'gamma\ndelta',
        origin: 'tool',
        createdAt: timestamp,
      },
      { id: 'm6', role: 'assistant', content: 'Done.', origin: 'model', createdAt: timestamp },
    ]);
  });

  it('takes a reply without an id for whole', () => {
    const { message, ...line } = assistant('', text('One.'));
    const withoutId = { ...line, message: { ...message, id: undefined } };
    const contents = messagesOf(read(withoutId, withoutId)).map(({ content }) => content);
    expect(contents).toEqual(['One.', 'One.']);
  });

  it('leaves out bookkeeping, subagents and replies that only thought', () => {
    const imported = read(
      { type: 'summary', summary: 'a title' },
      { type: 'file-history-snapshot', messageId: 'u1' },
      user('hi'),
      user('find it', { isSidechain: true }),
      assistant('r1', thinking('hm'), { type: 'redacted_thinking', data: 'x' }),
      { type: 'system', subtype: 'turn_duration', timestamp },
    );
    expect(imported.problems).toEqual([]);
    expect(messagesOf(imported)).toMatchObject([{ content: 'hi' }]);
  });

  it('tells what the program wrote from what a person typed', () => {
    const reminder = { type: 'attachment', attachment: { type: 'task_reminder', content: [] }, timestamp };
    const hook = { type: 'attachment', attachment: { type: 'hook_success', content: 'ok' }, timestamp };
    const imported = read(user('hi'), user([text('# A skill')], { isMeta: true }), reminder, hook);
    expect(messagesOf(imported)).toMatchObject([
      { content: 'hi', origin: 'person' },
      { content: '# A skill', origin: 'harness' },
      {
        content:
          '<system-reminder source="task_reminder">\n{"type":"task_reminder","content":[]}\n</system-reminder>',
        origin: 'harness',
      },
    ]);
  });

  it('finds the prompts that the queue delivered in the middle of a turn', () => {
    const queue = (operation: string, content?: string) => ({
      type: 'queue-operation',
      operation,
      timestamp,
      ...(content !== undefined && { content }),
    });
    const imported = read(
      user('start'),
      queue('enqueue', 'has a line of its own'),
      queue('enqueue', 'and push'),
      queue('dequeue'),
      user('has a line of its own'),
      queue('remove'),
      queue('enqueue', 'taken back'),
      queue('popAll'),
      queue('remove'),
    );
    expect(messagesOf(imported)).toMatchObject([
      { content: 'start' },
      { content: 'has a line of its own' },
      { content: 'and push', origin: 'person' },
    ]);
  });

  it('takes the summary of a compaction for no message', () => {
    const imported = read(
      user('first'),
      assistant('r1', call('c1', 'a.ts')),
      result('c1', 'alpha'),
      { type: 'system', subtype: 'compact_boundary', timestamp },
      user('We read a.ts.', { isCompactSummary: true }),
      assistant('r2', text('Going on.')),
    );
    expect(imported.compactions).toEqual([
      { agent: 'claude-code', beforeMessageIndex: 3, summary: 'We read a.ts.', createdAt: timestamp },
    ]);
    expect(messagesOf(imported)).toHaveLength(4);
  });

  it('keeps a compaction at the very end', () => {
    const imported = read(user('first'), user('It began.', { isCompactSummary: true }));
    expect(imported.compactions).toMatchObject([{ beforeMessageIndex: 1 }]);
  });

  it('keeps pictures that a person gave', () => {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } };
    const [message] = messagesOf(read(user([text('see'), picture])));
    expect(message?.content).toMatchObject([{ text: 'see' }, { type: 'image_url' }]);
  });

  it('leaves a call unanswered whose result never came, and a result without a call where it is', () => {
    const imported = read(
      user('go'),
      assistant('r1', call('c1', 'a.ts')),
      result('c9', 'lost'),
      user('wait'),
    );
    expect(messagesOf(imported).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  it.each([
    [user(3), "a user's line has a message with a text or an array of parts."],
    [{ type: 'assistant', message: 'x' }, 'a reply has a message with an array of parts.'],
    [assistant('r1', { type: 'song' }), 'a part of a reply is a text, a thought or a tool call.'],
    [user([{ type: 'tool_result', content: 'x' }]), 'a tool result has a tool_use_id.'],
  ])('skips %j and says why', (malformed, objection) => {
    const imported = read(malformed, user('still here'));
    expect(imported.problems).toEqual([`Line 1 was skipped: ${objection}`]);
    expect(messagesOf(imported)).toMatchObject([{ content: 'still here' }]);
  });

  it('says what it expected of another file', () => {
    expect(() => claudeCodeFormat.parse('\n{"type":"session_meta","payload":{}}')).toThrow(
      'Line 2: expected a Claude Code session',
    );
  });
});
