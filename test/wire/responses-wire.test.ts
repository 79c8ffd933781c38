import { describe, expect, it } from 'vitest';
import type { WireMessage } from '../../src/wire/wire.ts';
import { responsesWire } from '../../src/wire/responses-wire.ts';

const read = (...input: readonly object[]) => responsesWire.readRequest({ input }, '')!.messages;

function replyTo(...events: readonly object[]) {
  const reader = responsesWire.createReplyReader();
  for (const event of events) reader.take(event);
  return reader.reply;
}

describe('OpenAI responses', () => {
  it.each([
    ['/v1/responses', 'reply'],
    ['/backend-api/codex/responses', 'reply'],
    ['/responses', 'reply'],
    ['/v1/responses/compact', 'reply'],
    ['/v1/responses/input_tokens', 'count'],
    ['/v1/responses/resp_1', undefined],
    ['/v1/responses/resp_1/input_items', undefined],
  ])('ask at %s for: %s', (path, expected) => {
    expect(responsesWire.asks(path)).toBe(expected);
  });

  it('have calls of every type, with the results', () => {
    const messages = read(
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: '*** Begin' },
      { type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['ls'] } },
      { type: 'tool_search_call', call_id: 'd', execution: 'client', arguments: { query: 'git' } },
      { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'text' }] },
      { type: 'custom_tool_call_output', call_id: 'b', output: 'Done.' },
      { type: 'local_shell_call_output', call_id: 'c', output: 'src' },
      { type: 'tool_search_output', call_id: 'd', tools: [{ type: 'function', name: 'log' }] },
    );
    const [called, ...results] = messages.map(({ chat }) => chat);
    expect(
      called?.tool_calls?.map(({ id, function: { name, arguments: input } }) => [id, name, input]),
    ).toEqual([
      ['a', 'read', '{}'],
      ['b', 'patch', '*** Begin'],
      ['c', 'local_shell', '{"type":"exec","command":["ls"]}'],
      ['d', 'tool_search', '{"query":"git"}'],
    ]);
    expect(results.map(({ tool_call_id: id, content }) => [id, content])).toEqual([
      ['a', 'text'],
      ['b', 'Done.'],
      ['c', 'src'],
      ['d', '{"type":"function","name":"log"}'],
    ]);
  });

  it.each([
    ['a web search', { type: 'web_search_call', action: { query: 'zones' } }],
    ['a call of a server', { type: 'mcp_call', name: 'log', arguments: '{}', output: 'text' }],
    ['the tools of a server', { type: 'mcp_list_tools', server_label: 'git', tools: [] }],
    ['a search of tools', { type: 'tool_search_output', execution: 'server', tools: [] }],
  ])('count %s by the provider as text, because no result follows it', (_, item) => {
    const [message, ...others] = read(
      { ...item, id: 'x_1', status: 'completed' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Found.' }] },
    );
    expect(others).toEqual([]);
    expect(message?.chat).toEqual({
      role: 'assistant',
      content: [
        { type: 'text', text: JSON.stringify(item) },
        { type: 'text', text: 'Found.' },
      ],
    });
  });

  it('have images, also those that the provider stores or has made', () => {
    const image = (url: string) => [{ type: 'image_url', image_url: { url } }];
    const contents = read(
      { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AA' }] },
      { role: 'user', content: [{ type: 'input_image', file_id: 'file_1' }] },
      { type: 'image_generation_call', id: 'ig_1', result: 'AA' },
      {
        type: 'computer_call_output',
        call_id: 'a',
        output: { type: 'computer_screenshot', image_url: 'https://a.example/1' },
      },
    ).map(({ chat: { content } }) => content);
    expect(contents).toEqual([
      image('data:image/png;base64,AA'),
      image(''),
      image('data:image/png;base64,AA'),
      image('https://a.example/1'),
    ]);
  });

  it('count unknown items as text', () => {
    const item = { type: 'compaction', encrypted_content: 'AAAA' };
    expect(read(item).map(({ chat }) => chat.content)).toEqual([JSON.stringify(item)]);
  });

  it('declare groups of tools, custom tools and tools of the provider', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' };
    const log = { type: 'function', name: 'log', description: 'Logs.', parameters: { type: 'object' } };
    const tools = [
      { type: 'namespace', name: 'mcp__git', tools: [log] },
      { type: 'namespace', name: 'agents', tools: [log] },
      { type: 'function', name: 'mcp__git__show' },
      { type: 'custom', name: 'patch', format },
      { type: 'web_search', external_web_access: true },
    ];
    const declared = responsesWire.readRequest({ input: '', tools }, '')!.tools;
    expect(declared.map(({ schema, server }) => [schema.function.name, server])).toEqual([
      ['log', 'git'],
      ['log', 'agents'],
      ['mcp__git__show', 'git'],
      ['patch', undefined],
      ['web_search', undefined],
    ]);
    expect(declared[3]?.schema.function.parameters).toEqual({ format });
    expect(declared[4]?.schema.function.parameters).toEqual(tools[4]);
  });
});

describe('a streamed reply of responses', () => {
  const added = (output_index: number, item: object) => ({
    type: 'response.output_item.added',
    output_index,
    item,
  });

  it('has what arrived of its items when it breaks off', () => {
    const reply = replyTo(
      { type: 'response.created', response: { model: 'a-model', status: 'in_progress', output: [] } },
      added(0, { type: 'reasoning', summary: [] }),
      { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'I th' },
      added(1, { type: 'message', role: 'assistant', content: [] }),
      { type: 'response.output_text.delta', output_index: 1, delta: 'First' },
      added(2, { type: 'function_call', call_id: 'a', name: 'read', arguments: '' }),
      { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"pa' },
    );
    expect(reply).toEqual({
      model: 'a-model',
      isComplete: false,
      chat: {
        role: 'assistant',
        content: 'First',
        reasoning_content: 'I th',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"pa' } }],
      },
    });
  });

  it.each([
    ['completed', { isComplete: true }],
    ['incomplete', { isComplete: true }],
    ['failed', { isComplete: false, error: 'Too busy.' }],
  ])('reports usage and end when it is %s', (status, expected) => {
    const usage = { input_tokens: 9, output_tokens: 2, input_tokens_details: { cached_tokens: 8 } };
    const error = status === 'failed' ? { code: 'server_error', message: 'Too busy.' } : null;
    expect(replyTo({ type: `response.${status}`, response: { status, usage, error } })).toEqual({
      ...expected,
      chat: { role: 'assistant', content: null },
      usage: { inputTokens: 9, outputTokens: 2, cachedInputTokens: 8 },
    });
  });

  it('reports an error', () => {
    expect(replyTo({ type: 'error', code: 'x', message: 'Too busy.' })?.error).toBe('Too busy.');
  });

  it('may be the end of a compaction, which repeats messages of the user', () => {
    const compaction = { type: 'compaction', encrypted_content: 'AAAA' };
    const output = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
      compaction,
    ];
    expect(replyTo({ object: 'response.compaction', output })).toEqual({
      isComplete: true,
      chat: { role: 'assistant', content: JSON.stringify(compaction) },
    });
  });
});

describe('a view over responses', () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
  const said = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'First I read.' }],
  };
  const called = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'a', name: 'patch', input: '*** Begin' };
  const output = { type: 'custom_tool_call_output', id: 'o_1', call_id: 'a', output: 'A long text.' };
  const body = {
    model: 'a-model',
    instructions: 'You code.',
    input: [{ role: 'user', content: 'Go.' }, reasoning, said, called, output],
    store: false,
  };
  const [prompt, user, assistant, result] = responsesWire.readRequest(body, '')!.messages as [
    WireMessage,
    WireMessage,
    WireMessage,
    WireMessage,
  ];
  const own = ({ chat: { reasoning_content: _, ...chat } }: WireMessage, content: string): WireMessage => ({
    chat: { ...chat, content },
    raw: [],
  });
  const text = (role: string, type: string, words: string) => ({
    type: 'message',
    role,
    content: [{ type, text: words }],
  });

  it('keeps the reasoning in front of a shortened reply, and the calls in their form', () => {
    const written = responsesWire.withMessages(body, [
      prompt,
      user,
      own(assistant, 'First …'),
      own(result, 'A …'),
    ]);
    expect(written).toEqual({
      ...body,
      input: [
        body.input[0],
        reasoning,
        text('assistant', 'output_text', 'First …'),
        called,
        { ...output, output: 'A …' },
      ],
    });
    expect(Object.keys(written)).toEqual(Object.keys(body));
  });

  it('changes only the arguments of a call whose arguments are shortened', () => {
    const [call] = assistant.chat.tool_calls!;
    const shortened = { ...call!, function: { ...call!.function, arguments: '…' } };
    const view = [
      prompt,
      user,
      { chat: { ...own(assistant, 'First I read.').chat, tool_calls: [shortened] }, raw: [] },
      result,
    ];
    expect(responsesWire.withMessages(body, view)['input']).toContainEqual({ ...called, input: '…' });
  });

  it('writes a summary, and an exchange that the body does not have', () => {
    const view: readonly WireMessage[] = [
      prompt,
      { chat: { role: 'user', content: 'Summary.' }, raw: [] },
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
    expect(responsesWire.withMessages(body, view)).toEqual({
      ...body,
      input: [
        text('user', 'input_text', 'Summary.'),
        { type: 'function_call', call_id: 'x', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'x', output: 'r' },
      ],
    });
  });

  it('leaves tools that were found as they are, because their place takes no text', () => {
    const found = { type: 'tool_search_output', call_id: 'b', tools: [{ type: 'function', name: 'log' }] };
    const sent = { input: [{ type: 'tool_search_call', call_id: 'b', arguments: {} }, found] };
    const [search, tools] = responsesWire.readRequest(sent, '')!.messages as [WireMessage, WireMessage];
    expect(responsesWire.withMessages(sent, [search, own(tools, '…')])).toEqual(sent);
  });

  it('keeps a rewritten prompt in its field, and leaves the field out with the prompt', () => {
    expect(responsesWire.withMessages(body, [own(prompt, 'Code.'), user])).toEqual({
      ...body,
      instructions: 'Code.',
      input: [body.input[0]],
    });
    expect(responsesWire.withMessages(body, [user])).toEqual({
      model: 'a-model',
      input: [body.input[0]],
      store: false,
    });
  });

  it('makes a message of a single text when others join it', () => {
    const sent = { input: 'Go.' };
    const { messages } = responsesWire.readRequest(sent, '')!;
    expect(responsesWire.withMessages(sent, messages)).toEqual(sent);
    expect(
      responsesWire.withMessages(sent, [...messages, { chat: { role: 'user', content: 'On.' }, raw: [] }]),
    ).toEqual({
      input: [{ role: 'user', content: 'Go.' }, text('user', 'input_text', 'On.')],
    });
  });
});
