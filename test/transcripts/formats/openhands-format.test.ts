import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { openhandsFormat } from '../../../src/transcripts/formats/openhands-format.ts';

const call = (id: string) => ({ id, type: 'function', function: { name: 'run', arguments: '{"cmd":"ls"}' } });
const response = (id: string, content: unknown, ...calls: readonly unknown[]) => ({
  id,
  choices: [{ message: { role: 'assistant', content, tool_calls: calls } }],
});
const called = (callId: string, reply: unknown) => ({
  tool_call_id: callId,
  function_name: 'run',
  model_response: reply,
});
const said = (source: string, content: string, action = 'message', more: object = {}) => ({
  source,
  action,
  args: { content, ...more },
});
const run = (...history: readonly unknown[]) => JSON.stringify({ instance_id: 'i1', history });
const read = (...history: readonly unknown[]) => openhandsFormat.parse(run(...history));

describe('importing OpenHands output', () => {
  it('reads the messages, calls and results of a run', () => {
    const tools = [{ type: 'function', function: { name: 'run' } }];
    const reply = response('r1', 'I look.', call('c1'), call('c2'));
    const imported = read(
      { ...said('agent', 'You help.', 'system', { tools }), timestamp: '2026-02-03T04:05:06.123456' },
      said('user', 'list the files'),
      { source: 'user', action: 'recall', args: { query: 'x' } },
      { observation: 'recall', content: 'looked up' },
      { action: 'run', tool_call_metadata: called('c1', reply) },
      { observation: 'run', content: 'a.ts', success: true, tool_call_metadata: called('c1', reply) },
      { action: 'run', tool_call_metadata: called('c2', reply) },
      { observation: 'run', content: 'no', success: false, tool_call_metadata: called('c2', reply) },
      { observation: 'error', content: 'the program stumbled' },
      said('agent', 'One file.'),
    );
    expect(imported).toMatchObject({ tools, problems: [] });
    expect(messagesOf(imported)).toMatchObject([
      { id: 'm1', role: 'system', content: 'You help.', createdAt: '2026-02-03T04:05:06.123Z' },
      { role: 'user', content: 'list the files', origin: 'person' },
      { role: 'assistant', content: 'I look.', tool_calls: [call('c1'), call('c2')], origin: 'model' },
      { role: 'tool', tool_call_id: 'c1', name: 'run', content: 'a.ts', origin: 'tool' },
      { role: 'tool', tool_call_id: 'c2', content: 'no', isError: true },
      { role: 'assistant', content: 'One file.' },
    ]);
  });

  it('reads the model and the usage of each response', () => {
    const reply = {
      ...response('r1', 'I look.', call('c1')),
      model: 'some/model',
      usage: { prompt_tokens: 90, completion_tokens: 5, total_tokens: 95 },
    };
    expect(messagesOf(read({ action: 'run', tool_call_metadata: called('c1', reply) }))).toMatchObject([
      { modelId: 'some/model', usage: { inputTokens: 90, outputTokens: 5 } },
    ]);
  });

  it('reads only the last of several runs, and reports this', () => {
    const imported = openhandsFormat.parse(`${run(said('user', 'one'))}\n${run(said('user', 'two'))}\n`);
    expect(messagesOf(imported)).toMatchObject([{ content: 'two' }]);
    expect(imported.problems).toEqual(['Of the 2 runs in the file only the last was read.']);
  });

  it.each([
    [3, 'an event is an object.'],
    [said('user', 3 as never), 'a message has args.content.'],
    [{ action: 'run', tool_call_metadata: {} }, 'an action has the response that led to it.'],
    [
      { action: 'run', tool_call_metadata: called('c1', response('r1', 'x', 3)) },
      'tool calls are an array of { id, function: { name, arguments } }.',
    ],
    [
      { action: 'run', tool_call_metadata: called('c1', response('r1', 3)) },
      'the content of a reply is a text, null or an array of parts.',
    ],
    [
      { observation: 'run', content: 'x', tool_call_metadata: {} },
      'a result has tool_call_id and function_name.',
    ],
    [
      { observation: 'run', content: 3, tool_call_metadata: called('c1', {}) },
      'the content of a result is a text.',
    ],
  ])('skips %j with a reason', (malformed, objection) => {
    const imported = read(malformed, said('user', 'still here'));
    expect(imported.problems).toEqual([`Line 1 was skipped: event 0: ${objection}`]);
    expect(messagesOf(imported)).toMatchObject([{ content: 'still here' }]);
  });

  it('states the expected form if the file has another format', () => {
    expect(() => openhandsFormat.parse('{"messages":[]}')).toThrow('Line 1: expected OpenHands output');
  });
});
