import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { tauBenchFormat } from '../../../src/transcripts/formats/chat-log-formats.ts';

const call = { id: 'c1', type: 'function', function: { name: 'find_parcel', arguments: '{"number":7}' } };
const runOf = (traj: readonly unknown[]) => ({ task_id: 1, reward: 0, traj, trial: 0 });
const read = (...runs: readonly unknown[]) => tauBenchFormat.parse(JSON.stringify(runs, undefined, 1));

describe('importing tau-bench results', () => {
  it('reads the messages of a run unchanged', () => {
    const imported = read(
      runOf([
        { role: 'system', content: 'policy' },
        { role: 'user', content: 'where is my parcel?' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', name: 'find_parcel', content: 'on its way' },
      ]),
    );
    expect(imported.problems).toEqual([]);
    expect(messagesOf(imported)).toMatchObject([
      { id: 'm1', role: 'system', content: 'policy', origin: 'harness' },
      { id: 'm2', role: 'user', content: 'where is my parcel?', origin: 'person' },
      { id: 'm3', role: 'assistant', content: null, tool_calls: [call], origin: 'model' },
      {
        id: 'm4',
        role: 'tool',
        tool_call_id: 'c1',
        name: 'find_parcel',
        content: 'on its way',
        origin: 'tool',
      },
    ]);
  });

  it('recognises a result that begins with an error', () => {
    const results = ['Error: no such parcel', 'no Error: all is well'].map((content) => ({
      role: 'tool',
      tool_call_id: 'c1',
      content,
    }));
    const errors = messagesOf(read(runOf(results))).map(({ isError }) => isError);
    expect(errors).toEqual([true, undefined]);
  });

  it('reads only the last of several runs, and reports this', () => {
    const imported = read(
      runOf([{ role: 'user', content: 'first' }]),
      runOf([{ role: 'user', content: 'second' }]),
    );
    expect(messagesOf(imported)).toMatchObject([{ content: 'second' }]);
    expect(imported.problems).toEqual(['Of the 2 runs in the file only the last was read.']);
  });

  it.each([
    [3, 'a message is an object.'],
    [{ role: 'narrator', content: 'x' }, 'a message has a role, one of system, user, assistant, tool.'],
    [{ role: 'user', content: 3 }, 'the content of a message is a text, null or an array of parts.'],
    [{ role: 'tool', content: 'x' }, 'a tool result has a tool_call_id.'],
    [
      { role: 'assistant', content: 'x', tool_calls: [{ id: 'c1' }] },
      'tool calls are an array of { id, function: { name, arguments } }.',
    ],
  ])('skips %j and names the line', (malformed, objection) => {
    const imported = read(runOf([malformed, { role: 'user', content: 'still here' }]));
    expect(imported.problems).toEqual([`Line 6 was skipped: ${objection}`]);
    expect(messagesOf(imported)).toMatchObject([{ id: 'm1', content: 'still here' }]);
  });

  it.each([
    ['{"role":"user"}\n{"role":"assistant"}', 'Line 2: expected an array of tau-bench runs'],
    ['\n{"messages":[]}', 'Line 2: expected an array of tau-bench runs'],
    ['[]', 'Line 1: expected an array of tau-bench runs'],
    ['[\n{"traj":\n3}]', 'Line 3: expected an array of tau-bench runs'],
  ])('states the expected form for %j', (text, message) => {
    expect(() => tauBenchFormat.parse(text)).toThrow(message);
  });
});
