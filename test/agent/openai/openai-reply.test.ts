import { describe, expect, it } from 'vitest';
import { eventsOf, replyOf } from './ask-model.ts';
import type { ToolCallStyle } from './scripted-reply.ts';
import { modelOf, server, useServer } from './server-for-each-test.ts';

useServer();

describe('a reply', () => {
  it('arrives in pieces, then as a whole', async () => {
    server.reply({ text: 'Grüße, 世界 👋!', chunks: 4 });
    const events = await eventsOf(modelOf());
    const deltas = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
    expect(deltas).toHaveLength(4);
    expect(deltas.join('')).toBe('Grüße, 世界 👋!');
    expect(events.at(-1)).toEqual({
      type: 'end',
      reply: { content: 'Grüße, 世界 👋!', reasoning: '', toolCalls: [], finishReason: 'stop' },
    });
  });

  it.each(['reasoning_content', 'reasoning'] as const)('keeps reasoning in %s separate', async (field) => {
    server.reply({ reasoning: 'Let me see.', reasoningField: field, text: 'Yes.' });
    const events = await eventsOf(modelOf());
    expect(events[0]).toEqual({ type: 'reasoning-delta', text: 'Let me see.' });
    expect(events.at(-1)).toMatchObject({ reply: { reasoning: 'Let me see.', content: 'Yes.' } });
  });

  it('reads parts as text and thinking, as Mistral sends them', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'Yes.' },
    ];
    server.reply({ chunkData: [{ choices: [{ delta: { content } }] }] });
    expect(await replyOf(modelOf())).toMatchObject({ content: 'Yes.', reasoning: 'Hm.' });
  });

  it.each([
    ['length', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['content_filter', 'other'],
    ['stop', 'stop'],
  ])('with the finish reason %s reports %s', async (sent, read) => {
    server.reply({ text: 'Hi', finishReason: sent });
    expect((await replyOf(modelOf())).finishReason).toBe(read);
  });

  it('is complete if the connection breaks after its finish reason', async () => {
    server.reply({
      text: 'All of it.',
      chunkData: [{ choices: [{ delta: {}, finish_reason: 'stop' }] }],
      then: 'cut',
    });
    expect((await replyOf(modelOf())).content).toBe('All of it.');
  });

  it('may have comments between its events', async () => {
    server.reply({
      text: 'Hi',
      then: {
        raw: ': still thinking\n\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      },
    });
    expect((await replyOf(modelOf())).content).toBe('Hi');
  });
});

describe('tool calls', () => {
  const toolCalls = [
    { id: 'call_a', name: 'read_file', arguments: { path: 'src/a.ts', start_line: 3 } },
    { id: 'call_b', name: 'read_file', arguments: { path: 'src/b.ts' } },
    { id: 'call_c', name: 'list_directory', arguments: {} },
  ];
  const styles: readonly ToolCallStyle[] = [
    'openai',
    'interleaved',
    'no-index',
    'whole',
    'whole-batch',
    'same-index',
    'repeated',
  ];

  it.each(styles)('are assembled from a stream in the style %s', async (toolCallStyle) => {
    server.reply({ toolCalls, toolCallStyle });
    const reply = await replyOf(modelOf());
    expect(reply.finishReason).toBe('tool-calls');
    expect(reply.toolCalls.map(({ function: called }) => called.name)).toEqual(
      toolCalls.map(({ name }) => name),
    );
    expect(reply.toolCalls.map(({ function: called }) => JSON.parse(called.arguments) as unknown)).toEqual(
      toolCalls.map((call) => call.arguments),
    );
    const ids = reply.toolCalls.map(({ id }) => id);
    if (toolCallStyle === 'whole-batch') expect(new Set(ids).size).toBe(3);
    else expect(ids).toEqual(['call_a', 'call_b', 'call_c']);
  });

  it.each([
    ['with different indexes', 0, 1],
    ['with the same index', 0, 0],
    ['without an index', undefined, undefined],
  ])('are distinguished if a server gives two calls the same id, %s', async (_name, one, other) => {
    const call = (index: number | undefined, name: string, written: string) => ({
      choices: [{ delta: { tool_calls: [{ index, id: 'same', function: { name, arguments: written } }] } }],
    });
    for (const second of ['read_file', 'write_file']) {
      server.reply({
        chunkData: [call(one, 'read_file', '{"path":"a"}'), call(other, second, '{"path":"b"}')],
      });
      const [first, next, ...more] = (await replyOf(modelOf())).toolCalls;
      expect(first).toMatchObject({ id: 'same', function: { name: 'read_file', arguments: '{"path":"a"}' } });
      expect(next).toMatchObject({ function: { name: second, arguments: '{"path":"b"}' } });
      expect(next?.id).not.toBe('same');
      expect(more).toEqual([]);
    }
  });

  it('are merged if a server sends a whole call twice', async () => {
    const call = { index: 0, id: 'call_a', function: { name: 'recall', arguments: '{"id":"m1"}' } };
    const chunk = { choices: [{ delta: { tool_calls: [call] } }] };
    server.reply({ chunkData: [chunk, chunk] });
    expect((await replyOf(modelOf())).toolCalls).toHaveLength(1);
  });

  it('keep malformed arguments as the model wrote them', async () => {
    server.reply({ toolCalls: [{ name: 'read_file', arguments: '{"path": "a.ts' }] });
    expect((await replyOf(modelOf())).toolCalls[0]?.function.arguments).toBe('{"path": "a.ts');
  });

  it('accept arguments that a server sends as an object', async () => {
    const call = { index: 0, id: 'call_a', function: { name: 'recall', arguments: { id: 'm12' } } };
    server.reply({ chunkData: [{ choices: [{ delta: { tool_calls: [call] } }] }] });
    expect((await replyOf(modelOf())).toolCalls[0]?.function.arguments).toBe('{"id":"m12"}');
  });

  it('are reported as cut off at the output limit', async () => {
    server.reply({ toolCalls: [{ name: 'recall', arguments: '{"id"' }], finishReason: 'length' });
    expect((await replyOf(modelOf())).finishReason).toBe('length');
  });

  it('without index and id are merged if the server repeats the name of the tool with each piece', async () => {
    const piece = (written: string) => ({
      choices: [{ delta: { tool_calls: [{ function: { name: 'recall', arguments: written } }] } }],
    });
    server.reply({ chunkData: [piece('{"id"'), piece(': "m1"}'), piece('')] });
    expect((await replyOf(modelOf())).toolCalls.map((call) => call.function.arguments)).toEqual([
      '{"id": "m1"}',
    ]);
  });
});
