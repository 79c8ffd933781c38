import { describe, expect, it } from 'vitest';
import { fromOpenai, toOpenai, type OpenaiInput } from '../../src/library/openai-messages.ts';
import { noSession } from '../../src/compaction/quoting/session-tags.ts';
import { summaryText } from '../../src/compaction/summary/summary-form.ts';

const identity = { id: 'm1', createdAt: '2026-01-01T00:00:00.000Z' };
const roundTrip = (input: object) => toOpenai(fromOpenai(input as OpenaiInput, identity));

describe('fromOpenai and toOpenai', () => {
  it('return the original messages, including unknown fields', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":' } };
    const messages = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
      { role: 'assistant', content: null, refusal: null, annotations: [], tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'contents' }] },
      { role: 'assistant', content: 'Done.', reasoning_content: 'Let me see.' },
    ];
    expect(messages.map(roundTrip)).toEqual(messages);
  });

  it('keep the author of a message', () => {
    const origins = ['system', 'user', 'assistant'].map(
      (role) => fromOpenai({ role, content: 'text' }, identity).origin,
    );
    expect(origins).toEqual(['harness', 'person', 'model']);
    const summary = fromOpenai({ role: 'user', content: summaryText('Notes.', noSession) }, identity);
    expect(summary).toMatchObject({ kind: 'summary', origin: 'strategy' });
  });

  it('omit tool calls that are null or empty', () => {
    expect(roundTrip({ role: 'assistant', content: 'Hello.', tool_calls: null })).toEqual({
      role: 'assistant',
      content: 'Hello.',
    });
    expect(roundTrip({ role: 'tool', tool_call_id: 'call_1', content: null })).toMatchObject({ content: '' });
    expect(roundTrip({ role: 'assistant', tool_calls: [] })).toEqual({ role: 'assistant', content: null });
  });

  it.each([
    ['null', null, /object/],
    ['an unknown role', { role: 'function', content: '' }, /role/],
    ['a number as content', { role: 'user', content: 5 }, /content/],
    ['parts without a type', { role: 'user', content: [{ text: 'Hello.' }] }, /content/],
    ['a result without the id of a call', { role: 'tool', content: 'contents' }, /tool_call_id/],
    [
      'a call of a custom tool',
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom' }] },
      /tool_calls/,
    ],
    ['reasoning that is not text', { role: 'assistant', content: '', reasoning_content: {} }, /reasoning/],
  ])('refuse %s', (_name, input, problem) => {
    expect(() => fromOpenai(input as unknown as OpenaiInput, identity)).toThrow(problem);
  });
});
