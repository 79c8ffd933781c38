import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../src/compaction/transcript.ts';
import type { ForeignCompaction } from '../../src/transcripts/format.ts';
import { openaiFormat } from '../../src/transcripts/openai-format.ts';
import { withResultsBehindCalls } from '../../src/transcripts/result-order.ts';

const user = (content: string) => ({ role: 'user', content });
const call = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'run', arguments: '{}' } })),
});
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
const ordered = (messages: readonly object[], compactions: readonly ForeignCompaction[] = []) =>
  withResultsBehindCalls(openaiFormat.parse(JSON.stringify({ messages, compactions })));
const contents = (...messages: readonly object[]) =>
  messagesOf(ordered(messages)).map(({ content }) => content);

describe('results', () => {
  it('go behind their call past what was said meanwhile', () => {
    expect(contents(call('a', 'b'), result('a', 'A'), user('wait'), result('b', 'B'))).toEqual([
      null,
      'A',
      'B',
      'wait',
    ]);
  });

  it('go behind a call that the file has after them', () => {
    expect(contents(user('go'), result('a', 'A'), call('a'), user('on'))).toEqual(['go', null, 'A', 'on']);
  });

  it('belong to the nearest call before them where an id is used again', () => {
    expect(contents(call('a'), result('a', 'A'), call('a'), user('wait'), result('a', 'B'))).toEqual([
      null,
      'A',
      null,
      'B',
      'wait',
    ]);
  });

  it('stay where they are where nothing called for them', () => {
    expect(contents(user('go'), result('z', 'Z'), user('on'))).toEqual(['go', 'Z', 'on']);
  });

  it('move compactions along', () => {
    const compactions = [{ beforeMessageIndex: 2, keptFromIndex: 1, summary: 'So far.' }];
    const moved = ordered([user('go'), call('a'), user('wait'), result('a', 'A'), user('on')], compactions);
    expect(moved.compactions).toMatchObject([{ beforeMessageIndex: 3, keptFromIndex: 1 }]);
  });

  it('that are in order leave the session as it is', () => {
    const imported = openaiFormat.parse(JSON.stringify([call('a'), result('a', 'A')]));
    expect(withResultsBehindCalls(imported)).toBe(imported);
  });
});
