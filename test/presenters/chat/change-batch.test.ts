import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChangeBatch } from '../../../src/presenters/chat/change-batch.ts';
import type { ChatChange } from '../../../src/protocol/chat.ts';

const text = (id: string, added: string): ChatChange => ({ type: 'text', id, text: added });
const state: ChatChange = { type: 'state', state: { title: 'Title' } };

describe('the changes for a page', () => {
  let posted: (readonly ChatChange[])[] = [];
  let batch: ChangeBatch;
  beforeEach(() => {
    vi.useFakeTimers();
    posted = [];
    batch = new ChangeBatch((changes) => posted.push(changes));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are sent in one message per frame while text is streamed', () => {
    for (const word of ['one ', 'two ', 'three']) batch.add([text('a', word)]);
    expect(posted).toEqual([]);
    vi.runAllTimers();
    expect(posted).toEqual([[text('a', 'one two three')]]);
  });

  it('keep their order', () => {
    batch.add([text('a', 'one')]);
    batch.add([text('b', 'two')]);
    batch.add([text('a', 'three')]);
    batch.add([state]);
    expect(posted).toEqual([[text('a', 'one'), text('b', 'two'), text('a', 'three'), state]]);
  });

  it('include one token count per frame, and do not split text', () => {
    for (const [index, word] of ['one ', 'two ', 'three'].entries()) {
      batch.add([text('a', word), { type: 'streamed', tokens: index }]);
    }
    vi.runAllTimers();
    expect(posted).toEqual([[text('a', 'one two three'), { type: 'streamed', tokens: 2 }]]);
  });

  it('include the token count of a reply before its final state', () => {
    const end: ChatChange = { type: 'state', state: { streamed: 0 } };
    batch.add([text('a', 'one'), { type: 'streamed', tokens: 9 }]);
    batch.add([end]);
    expect(posted).toEqual([[text('a', 'one'), { type: 'streamed', tokens: 9 }, end]]);
  });

  it('stay below 2 kB per message', () => {
    for (let index = 0; index < 100; index++) batch.add([text('a', 'words and "quotes" '.repeat(4))]);
    vi.runAllTimers();
    expect(posted.length).toBeGreaterThan(1);
    expect(Math.max(...posted.map((changes) => JSON.stringify(changes).length))).toBeLessThan(2_000);
    const all = posted.flat().map((change) => (change.type === 'text' ? change.text : ''));
    expect(all.join('')).toBe('words and "quotes" '.repeat(400));
  });

  it('are discarded if the page receives a snapshot', () => {
    batch.add([text('a', 'one')]);
    batch.drop();
    vi.runAllTimers();
    expect(posted).toEqual([]);
  });
});
