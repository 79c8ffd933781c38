import { describe, expect, it } from 'vitest';
import { noMessages, receiveMessages } from '../../../webview/inspector/state/messages-data.ts';
import { message } from '../support/inspector-fixtures.ts';

const sessionId = 's1';
const first = [message({ id: 'm1' }), message({ id: 'm2' })];
const known = receiveMessages(
  noMessages,
  { type: 'messages', sessionId, from: 0, messages: first },
  sessionId,
);

describe('the messages of a read-only session', () => {
  it('are continued by the next portion', () => {
    const more = receiveMessages(
      known,
      { type: 'messages', sessionId, from: 2, messages: [message({ id: 'm3' })] },
      sessionId,
    );
    expect(more.messages.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
  });

  it('forget the text of a message that changed, and no other text', () => {
    const texts = new Map([
      ['m1', 'one'],
      ['m2', 'two'],
    ]);
    const changed = message({ id: 'm2', tokens: 7 });
    const after = receiveMessages(
      { ...known, texts },
      { type: 'messages', sessionId, from: 1, messages: [changed] },
      sessionId,
    );
    expect([...after.texts]).toEqual([['m1', 'one']]);
  });

  it('do not take a portion after a gap, or one of another session', () => {
    const gap = receiveMessages(known, { type: 'messages', sessionId, from: 3, messages: first }, sessionId);
    const other = receiveMessages(
      known,
      { type: 'messages', sessionId: 's2', from: 0, messages: [] },
      sessionId,
    );
    expect([gap.messages, other]).toEqual([known.messages, known]);
  });

  it('begin anew with another session', () => {
    const answer = { type: 'messages', sessionId: 's2', from: 0, messages: [first[0]!] } as const;
    expect(receiveMessages(known, answer, 's2').messages).toEqual([first[0]]);
  });
});
