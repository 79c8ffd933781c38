import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { claudeCodeFormat } from '../../../../src/transcripts/formats/claude-code/claude-code-format.ts';

const timestamp = '2026-02-03T04:05:06.000Z';
const read = (...events: readonly unknown[]) =>
  claudeCodeFormat.parse(events.map((event) => JSON.stringify(event)).join('\n'));
const user = (content: unknown, more: object = {}) => ({
  sessionId: 's1',
  type: 'user',
  message: { role: 'user', content },
  timestamp,
  ...more,
});
const assistant = (id: string, ...content: readonly unknown[]) => ({
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
  it('joins the lines of a reply into one message, followed by its results in the order of the calls', () => {
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

  it('does not join the lines of replies without an id', () => {
    const { message, ...line } = assistant('', text('One.'));
    const withoutId = { ...line, message: { ...message, id: undefined } };
    const contents = messagesOf(read(withoutId, withoutId)).map(({ content }) => content);
    expect(contents).toEqual(['One.', 'One.']);
  });

  it('leaves out bookkeeping, sub-agents and replies that contain only thoughts', () => {
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

  it("distinguishes the program's text from the user's", () => {
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

  it('finds queued prompts that were delivered during a turn', () => {
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

  it('does not treat the summary of a compaction as a message', () => {
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

  it('keeps a compaction at the end of the file', () => {
    const imported = read(user('first'), user('It began.', { isCompactSummary: true }));
    expect(imported.compactions).toMatchObject([{ beforeMessageIndex: 1 }]);
  });

  it("keeps the user's pictures", () => {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } };
    const [message] = messagesOf(read(user([text('see'), picture])));
    expect(message?.content).toMatchObject([{ text: 'see' }, { type: 'image_url' }]);
  });

  it('keeps calls without results, and results without calls', () => {
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
  ])('skips %j with a reason', (malformed, objection) => {
    const imported = read(malformed, user('still here'));
    expect(imported.problems).toEqual([`Line 1 was skipped: ${objection}`]);
    expect(messagesOf(imported)).toMatchObject([{ content: 'still here' }]);
  });

  it('takes the model and the usage from the last line of a reply that contains them', () => {
    const usage = (output: number) => ({
      input_tokens: 10,
      cache_creation_input_tokens: 40,
      cache_read_input_tokens: 50,
      output_tokens: output,
    });
    const line = (said: string, more: object) => {
      const { message, ...row } = assistant('r1', text(said));
      return { ...row, message: { ...message, model: 'claude-opus-4-6', ...more } };
    };
    const [, reply] = messagesOf(
      read(user('hi'), line('One', { usage: usage(2) }), line('two.', { usage: usage(70) })),
    );
    expect(reply).toMatchObject({
      content: 'One\ntwo.',
      modelId: 'claude-opus-4-6',
      usage: { inputTokens: 100, cachedInputTokens: 50, cacheWriteTokens: 40, outputTokens: 70 },
    });
  });

  it('leaves out the error of a provider', () => {
    const { message, ...row } = assistant('e1', text('API Error: 529 Overloaded'));
    const notice = { ...row, isApiErrorMessage: true, message: { ...message, model: '<synthetic>' } };
    expect(messagesOf(read(user('hi'), notice, assistant('r1', text('Hello.'))))).toMatchObject([
      { content: 'hi' },
      { content: 'Hello.' },
    ]);
  });

  it('names no model for a reply written by the program', () => {
    const { message, ...row } = assistant('r1', text('No response requested.'));
    const usage = { input_tokens: 0, output_tokens: 0 };
    const [reply] = messagesOf(read({ ...row, message: { ...message, model: '<synthetic>', usage } }));
    expect(reply).not.toHaveProperty('modelId');
    expect(reply).not.toHaveProperty('usage');
  });

  it.each([
    { type: 'attachment', attachment: { type: 'hook_success', content: 'ok' } },
    { type: 'attachment', attachment: { type: 'hook_non_blocking_error', stderr: 'no' } },
    { type: 'attachment', attachment: { type: 'plan_mode', reminderType: 'full' } },
    { type: 'permission-mode', permissionMode: 'acceptEdits' },
    { type: 'mode', mode: 'normal' },
    { type: 'progress', data: { type: 'hook_progress', hookName: 'Stop' } },
    { type: 'system', subtype: 'stop_hook_summary', content: 'x' },
    user('only shown', { isVisibleInTranscriptOnly: true }),
  ])('leaves out %j', (row) => {
    expect(messagesOf(read(user('hi'), row))).toMatchObject([{ content: 'hi' }]);
  });

  it('keeps text that hooks and skills add for the model', () => {
    const listing = { type: 'skill_listing', content: '- commit: makes a commit', skillCount: 1 };
    const [, listed] = messagesOf(read(user('hi'), { type: 'attachment', attachment: listing, timestamp }));
    expect(listed?.content).toBe(
      '<system-reminder source="skill_listing">\n- commit: makes a commit\n</system-reminder>',
    );
    const attachment = { type: 'hook_additional_context', content: ['Use tabs.'] };
    const [, added] = messagesOf(read(user('hi'), { type: 'attachment', attachment, timestamp }));
    expect(added?.origin).toBe('harness');
    expect(added?.content).toContain('Use tabs.');
  });

  it('names the tools that a tool search found', () => {
    const found = [{ type: 'tool_reference', tool_name: 'mcp__files__read' }];
    const imported = read(user('go'), assistant('r1', call('c1', 'a.ts')), result('c1', found));
    expect(messagesOf(imported)[2]).toMatchObject({ content: '[tool: mcp__files__read]' });
  });

  it('reads the tools that the provider ran during a reply', () => {
    const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } };
    const hits = [{ type: 'web_search_result', title: 'X', url: 'https://example.org' }];
    const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: hits };
    const imported = read(user('go'), assistant('r1', search, found, text('Found.')));
    expect(imported.problems).toEqual([]);
    expect(messagesOf(imported)).toMatchObject([
      { role: 'user' },
      { content: 'Found.', tool_calls: [{ id: 's1' }] },
      { role: 'tool', tool_call_id: 's1', content: JSON.stringify(hits) },
    ]);
  });

  it('moves a result that precedes its call to the position after the call', () => {
    const imported = read(
      user('go'),
      result('c1', 'alpha'),
      assistant('r1', call('c1', 'a.ts')),
      user('thanks'),
    );
    expect(messagesOf(imported).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  it('includes a queued prompt once, even if the file records it in several ways', () => {
    const queue = (operation: string, content?: string) => ({ type: 'queue-operation', operation, content });
    const attached = (prompt: string, commandMode = 'prompt') => ({
      type: 'attachment',
      attachment: { type: 'queued_command', prompt, commandMode },
    });
    const imported = read(
      user('start'),
      queue('enqueue', 'and push'),
      queue('remove'),
      attached('and push'),
      attached('then rest'),
      attached('<task-notification>done</task-notification>', 'task-notification'),
    );
    expect(messagesOf(imported)).toMatchObject([
      { content: 'start' },
      { content: 'and push', origin: 'person' },
      { content: 'then rest', origin: 'person' },
      { origin: 'harness' },
    ]);
  });

  it('states which messages a compaction kept', () => {
    const imported = read(
      user('first', { uuid: 'a', parentUuid: null }),
      user('second', { uuid: 'b', parentUuid: 'a' }),
      {
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'c',
        parentUuid: null,
        logicalParentUuid: 'b',
        compactMetadata: { preservedSegment: { headUuid: 'b', anchorUuid: 'd', tailUuid: 'b' } },
      },
      user('It began.', { uuid: 'd', parentUuid: 'c', isCompactSummary: true }),
      user('third', { uuid: 'e', parentUuid: 'b' }),
    );
    expect(messagesOf(imported).map(({ content }) => content)).toEqual(['first', 'second', 'third']);
    expect(imported.compactions).toMatchObject([{ beforeMessageIndex: 2, keptFromIndex: 1 }]);
    expect(imported.others).toEqual([]);
  });

  it('states the expected form if the file has another format', () => {
    expect(() => claudeCodeFormat.parse('\n{"type":"session_meta","payload":{}}')).toThrow(
      'Line 2: expected a Claude Code session',
    );
  });
});
