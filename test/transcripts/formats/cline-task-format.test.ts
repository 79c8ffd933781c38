import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { clineTaskFormat } from '../../../src/transcripts/formats/cline-task-format.ts';

/**
 * Files in the shape that Cline and Roo Code write: `Anthropic.MessageParam` with `ts`, in Roo Code with `isSummary`
 * (src/core/task-persistence/apiMessages.ts).
 */
const read = (...messages: readonly unknown[]) =>
  clineTaskFormat.parse(JSON.stringify(messages, undefined, 1));
const text = (said: string) => ({ type: 'text', text: said });
const task = { role: 'user', content: [text('<task>\nsort this\n</task>'), text('<environment_details>')] };

describe('importing tasks of Cline and Roo Code', () => {
  it('tells what a person typed from what the extension said', () => {
    const imported = read(
      task,
      { role: 'assistant', content: 'Sorting.', ts: 1_700_000_000_000 },
      { role: 'user', content: [text("[write_to_file for 'a'] Result:"), text('done')] },
      { role: 'user', content: [text('<feedback>\nmore\n</feedback>')] },
    );
    expect(messagesOf(imported).map(({ origin }) => origin)).toEqual([
      'person',
      'model',
      'harness',
      'person',
    ]);
    expect(messagesOf(imported)[1]).toMatchObject({
      content: 'Sorting.',
      createdAt: '2023-11-14T22:13:20.000Z',
    });
  });

  it('takes the model and the usage of each reply', () => {
    const metrics = { tokens: { prompt: 100, completion: 5, cached: 80 }, cost: 1 };
    const modelInfo = { modelId: 'claude-opus-4-6', providerId: 'anthropic' };
    const imported = read(task, { role: 'assistant', content: 'Done.', modelInfo, metrics });
    expect(messagesOf(imported)[1]).toMatchObject({
      modelId: 'claude-opus-4-6',
      usage: { inputTokens: 100, outputTokens: 5, cachedInputTokens: 80 },
    });
  });

  it('takes calls, thoughts and results apart', () => {
    const imported = read(
      task,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'which?' },
          text('I look.'),
          { type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'x' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [text('gone')], is_error: true },
          text('<environment_details>'),
        ],
      },
    );
    expect(messagesOf(imported).slice(1)).toMatchObject([
      {
        content: 'I look.',
        reasoning: 'which?',
        tool_calls: [{ id: 'a', function: { name: 'read_file', arguments: '{"path":"x"}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'gone', isError: true },
      { role: 'user', origin: 'harness' },
    ]);
  });

  it('has a summary of Roo Code as a compaction', () => {
    const imported = read(task, { role: 'assistant', content: 'notes', isSummary: true, ts: 0 }, task);
    expect(messagesOf(imported)).toHaveLength(2);
    expect(imported.compactions).toEqual([
      { agent: 'roo-code', beforeMessageIndex: 1, summary: 'notes', createdAt: '1970-01-01T00:00:00.000Z' },
    ]);
  });

  it.each([
    [3, 'a message has a content, a text or an array of parts.'],
    [{ role: 'system', content: '' }, 'a message has the role user or assistant.'],
    [{ role: 'user', content: [{ type: 'tool_result' }] }, 'a tool result has a tool_use_id.'],
    [
      { role: 'assistant', content: [{ type: 'image' }] },
      'a part of a reply is a text, a thought or a tool call.',
    ],
  ])('skips %j and says on which line it is', (malformed, objection) => {
    const imported = read(malformed, task);
    expect(imported.problems).toEqual([`Line 2 was skipped: ${objection}`]);
    expect(messagesOf(imported)).toHaveLength(1);
  });

  it.each([
    ['{}', 'Line 1: expected a Cline task'],
    ['[\n{', 'Line 2: expected a Cline task'],
  ])('says what it expected of %j', (broken, message) => {
    expect(() => clineTaskFormat.parse(broken)).toThrow(message);
  });
});
