import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { codexFormat } from '../../../../src/transcripts/formats/codex/codex-format.ts';

const timestamp = '2026-02-03T04:05:06.000Z';
const line = (type: string, payload: unknown) => ({ timestamp, type, payload });
const item = (type: string, more: object) => line('response_item', { type, ...more });
const message = (role: string, ...texts: readonly string[]) =>
  item('message', { role, content: texts.map((text) => ({ type: 'text', text })) });
const call = (id: string) => item('function_call', { call_id: id, name: 'exec', arguments: '{"cmd":"ls"}' });
const output = (id: string, result: unknown) => item('function_call_output', { call_id: id, output: result });
const typedEvent = (text: string) => line('event_msg', { type: 'user_message', message: text });
const read = (...events: readonly unknown[]) =>
  codexFormat.parse(events.map((event) => JSON.stringify(event)).join('\n'));

describe('importing Codex rollouts', () => {
  it('joins the parts of a reply into one message', () => {
    const imported = read(
      line('session_meta', { id: 's1', base_instructions: { text: 'You code.' } }),
      message('developer', 'Be', 'brief.'),
      message('user', 'list the files'),
      item('reasoning', { summary: [{ type: 'summary_text', text: 'ls will do' }] }),
      message('assistant', 'I look.'),
      call('c1'),
      call('c2'),
      output('c1', 'a.ts'),
      output('c2', 'b.ts'),
      item('reasoning', { summary: [], encrypted_content: 'x' }),
      item('custom_tool_call', { call_id: 'c3', name: 'apply_patch', input: '*** Begin' }),
      item('custom_tool_call_output', { call_id: 'c3', output: 'Success.' }),
      message('assistant', 'Done.'),
    );
    const tool = (id: string, name: string, text: string) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    });
    expect(imported.problems).toEqual([]);
    expect(messagesOf(imported)).toMatchObject([
      { id: 'm1', role: 'system', content: 'You code.', origin: 'harness', createdAt: timestamp },
      { role: 'system', content: 'Be\nbrief.', origin: 'harness' },
      { role: 'user', content: 'list the files', origin: 'person' },
      {
        role: 'assistant',
        content: 'I look.',
        reasoning: 'ls will do',
        tool_calls: [tool('c1', 'exec', '{"cmd":"ls"}'), tool('c2', 'exec', '{"cmd":"ls"}')],
        origin: 'model',
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a.ts', origin: 'tool' },
      { role: 'tool', tool_call_id: 'c2', content: 'b.ts' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [tool('c3', 'apply_patch', '{"input":"*** Begin"}')],
      },
      { role: 'tool', tool_call_id: 'c3', content: 'Success.' },
      { role: 'assistant', content: 'Done.' },
    ]);
  });

  it('marks the call of a patch that was not applied as failed', () => {
    const imported = read(
      item('custom_tool_call', { call_id: 'c1', name: 'apply_patch', input: '*** Begin' }),
      item('custom_tool_call_output', { call_id: 'c1', output: 'apply_patch verification failed: no lines' }),
    );
    expect(messagesOf(imported)[1]).toMatchObject({ role: 'tool', isError: true });
  });

  it('recognises typed text by the event that repeats it', () => {
    const imported = read(
      message('user', '<environment_context>linux</environment_context>'),
      message('user', 'list the files'),
      typedEvent('list the files'),
    );
    expect(messagesOf(imported).map(({ origin }) => origin)).toEqual(['harness', 'person']);
  });

  it('recognises from its result whether a call failed', () => {
    const failed = { content: 'no such file', success: false };
    const imported = read(
      call('c1'),
      call('c2'),
      output('c1', failed),
      output('c2', [{ type: 'input_text', text: 'ok' }]),
    );
    expect(messagesOf(imported).slice(1)).toMatchObject([
      { content: 'no such file', isError: true },
      { content: 'ok' },
    ]);
  });

  it('recognises prompts that a compaction kept word for word', () => {
    const stayed = (role: string, text: string) => ({ role, content: [{ type: 'input_text', text }] });
    const { compactions } = read(
      message('user', 'list the files'),
      message('assistant', 'There is one.'),
      message('user', 'and now?'),
      line('compacted', {
        message: 'One file.',
        replacement_history: [
          stayed('assistant', 'There is one.'),
          stayed('user', 'and now?'),
          stayed('user', 'x'),
        ],
      }),
    );
    expect(compactions).toMatchObject([
      { agent: 'codex', beforeMessageIndex: 3, alsoKept: [2], summary: 'One file.', createdAt: timestamp },
    ]);
  });

  it("reads the instructions once, even if a fork repeats its parent's header", () => {
    const imported = read(
      line('session_meta', { id: 's2', forked_from_id: 's1', base_instructions: { text: 'You code.' } }),
      line('session_meta', { id: 's1', base_instructions: { text: 'You code.' } }),
      message('user', 'list the files'),
    );
    expect(messagesOf(imported).map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it('reports which developer messages a compaction removed', () => {
    const imported = read(
      line('session_meta', { id: 's1', base_instructions: { text: 'You code.' } }),
      message('developer', 'Skills.', 'Permissions.'),
      message('developer', 'Facts.'),
      message('user', 'list the files'),
      line('compacted', {
        message: 'One file.',
        replacement_history: [{ role: 'developer', content: [{ type: 'input_text', text: 'Skills.' }] }],
      }),
    );
    expect(imported.compactions).toMatchObject([{ beforeMessageIndex: 4, instructionsLeft: [2] }]);
  });

  it('reads searches for tools as calls with their results', () => {
    const imported = read(
      message('user', 'list the files'),
      item('tool_search_call', { call_id: 'c1', execution: 'client', arguments: { query: 'files' } }),
      item('tool_search_output', { call_id: 'c1', tools: [{ name: 'list' }] }),
    );
    expect(messagesOf(imported)).toMatchObject([
      { role: 'user' },
      { tool_calls: [{ id: 'c1', function: { name: 'tool_search', arguments: '{"query":"files"}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '[{"name":"list"}]' },
    ]);
  });

  it('uses the kept messages as the summary if a compaction wrote no summary', () => {
    const kept = { role: 'user', content: [{ type: 'input_text', text: 'list the files' }] };
    const imported = read(
      message('user', 'list the files'),
      message('assistant', 'There is one.'),
      line('compacted', { message: 'One file.' }),
      message('user', 'and now?'),
      line('compacted', { message: '', replacement_history: [kept, { ...kept, role: 'assistant' }] }),
    );
    expect(imported.compactions).toEqual([
      { agent: 'codex', beforeMessageIndex: 2, summary: 'One file.', createdAt: timestamp },
      {
        agent: 'codex',
        beforeMessageIndex: 3,
        summary: '[user] list the files\n\n[assistant] list the files',
        createdAt: timestamp,
      },
    ]);
  });

  it.each([
    [{ type: 'response_item' }, 'it has no payload.'],
    [item('message', { role: 'user', content: 3 }), 'the content of a message is an array of parts.'],
    [message('narrator', 'x'), 'a message has a role, one of system, developer, user, assistant.'],
    [item('function_call', { name: 'exec', arguments: '{}' }), 'a call has call_id and name.'],
    [
      item('function_call', { call_id: 'c1', name: 'exec', arguments: {} }),
      'the arguments of a call are a text.',
    ],
    [item('function_call_output', { output: 'x' }), 'a result has a call_id.'],
    [output('c1', 3), 'the output of a result is a text or an array of parts.'],
  ])('skips %j with a reason', (malformed, objection) => {
    const imported = read(malformed, message('user', 'still here'));
    expect(imported.problems).toEqual([`Line 1 was skipped: ${objection}`]);
    expect(messagesOf(imported)).toMatchObject([{ content: 'still here' }]);
  });

  describe('the reported usage', () => {
    const counted = (total: number, input: number, more: object = {}) =>
      line('event_msg', {
        type: 'token_count',
        info: {
          total_token_usage: { input_tokens: total, output_tokens: 5 },
          last_token_usage: { input_tokens: input, cached_input_tokens: 60, output_tokens: 5 },
          model_context_window: 258_400,
          ...more,
        },
      });
    const usage = { inputTokens: 100, cachedInputTokens: 60, outputTokens: 5 };

    it('belongs to the previous reply and the model of its turn', () => {
      const imported = read(
        line('turn_context', { model: 'gpt-5.4' }),
        message('user', 'go'),
        message('assistant', 'I look.'),
        call('c1'),
        counted(100, 100),
        output('c1', 'a.ts'),
        line('turn_context', { model: 'gpt-5.5' }),
        message('assistant', 'Done.'),
      );
      expect(imported.window).toBe(258_400);
      expect(messagesOf(imported)).toMatchObject([
        { role: 'user' },
        { modelId: 'gpt-5.4', usage },
        { role: 'tool' },
        { modelId: 'gpt-5.5', content: 'Done.' },
      ]);
      expect(messagesOf(imported)[3]).not.toHaveProperty('usage');
    });

    it('belongs to the reply even if it is reported after the results', () => {
      const imported = read(call('c1'), output('c1', 'a.ts'), counted(100, 100));
      expect(messagesOf(imported)[0]).toMatchObject({ usage });
    });

    it('counts once if it is repeated, and not at all if no request was sent', () => {
      const imported = read(
        message('assistant', 'One.'),
        counted(100, 100),
        message('assistant', 'Two.'),
        counted(100, 100),
        counted(200, 0),
        line('event_msg', { type: 'token_count', info: null }),
      );
      expect(messagesOf(imported)[0]).toMatchObject({ usage });
      expect(messagesOf(imported)[1]).not.toHaveProperty('usage');
    });

    it('is missing if the file does not report it', () => {
      const imported = read(message('assistant', 'One.'));
      expect(imported.window).toBeUndefined();
      expect(messagesOf(imported)[0]).not.toHaveProperty('usage');
      expect(messagesOf(imported)[0]).not.toHaveProperty('modelId');
    });
  });

  it('treats undone turns as a branch', () => {
    const imported = read(
      message('user', 'one'),
      message('assistant', 'first'),
      message('user', 'two'),
      message('assistant', 'second'),
      line('compacted', { message: 'So far.' }),
      line('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
      message('user', 'three'),
    );
    expect(messagesOf(imported).map(({ content }) => content)).toEqual(['one', 'first', 'three']);
    expect(imported.compactions).toEqual([]);
    expect(imported.others).toMatchObject([{ kind: 'branch', opening: 'two' }]);
    const branch = imported.others![0]!.read();
    expect(messagesOf(branch).map(({ content }) => content)).toEqual(['one', 'first', 'two', 'second']);
    expect(branch.compactions).toHaveLength(1);
  });

  it("reads calls of the provider's built-in shell tool", () => {
    const action = { type: 'exec', command: ['ls'] };
    const imported = read(item('local_shell_call', { call_id: 'c1', action }), output('c1', 'a.ts'));
    expect(messagesOf(imported)).toMatchObject([
      { tool_calls: [{ id: 'c1', function: { name: 'local_shell', arguments: JSON.stringify(action) } }] },
      { role: 'tool', content: 'a.ts' },
    ]);
  });

  it('states the expected form if the file has another format', () => {
    expect(() => codexFormat.parse('[]')).toThrow('Line 1: expected a Codex rollout');
  });
});
