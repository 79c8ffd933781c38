import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseChatRequest, parseInspectorRequest } from '../../src/protocol/guards.ts';

describe('parseChatRequest', () => {
  it('takes requests as they are meant', () => {
    const requests = [
      { type: 'ready' },
      { type: 'send', text: 'hi' },
      { type: 'draft', sessionId: 's1', text: '' },
      { type: 'open-file', path: 'src/a.ts', line: 3 },
      { type: 'open-file', path: 'src/a.ts' },
      { type: 'undo', recordId: 'c1' },
      { type: 'decline-compaction' },
      { type: 'compact' },
      { type: 'compact', focus: 'the lock', strategy: 'ladder' },
      { type: 'price', text: 'Look at @src/a.ts' },
      { type: 'complete', trigger: '@', query: 'src/' },
      { type: 'pin', messageId: 'm1', isPinned: false },
      { type: 'record-summary', recordId: 'c1' },
    ];
    for (const request of requests) expect(parseChatRequest(request)).toEqual(request);
  });

  it('takes over no field that a request does not have', () => {
    expect(parseChatRequest({ type: 'stop', command: 'rm' })).toEqual({ type: 'stop' });
    expect(parseChatRequest({ type: 'open-file', path: 'a', line: -1 })).toEqual({
      type: 'open-file',
      path: 'a',
    });
  });

  it.each([
    undefined,
    null,
    3,
    'ready',
    [],
    {},
    { type: 'send' },
    { type: 'send', text: 3 },
    { type: 'undo' },
    { type: 'complete', trigger: '!', query: '' },
    { type: 'pin', messageId: 'm1', isPinned: 1 },
    { type: 'record-summary' },
    { type: 'x' },
  ])('refuses %j', (value) => {
    expect(parseChatRequest(value)).toBeUndefined();
  });
});

describe('parseInspectorRequest', () => {
  it('takes requests as they are meant', () => {
    const requests = [
      { type: 'ready' },
      { type: 'diff', recordId: 'c1' },
      { type: 'sources', recordId: 'c1', index: 0 },
      { type: 'texts', recordId: 'c1', messageId: 'm1' },
      { type: 'restore', messageId: 'm1' },
      { type: 'show-session', sessionId: 's1' },
      { type: 'messages', sessionId: 's1', from: 200 },
      { type: 'message-text', sessionId: 's1', messageId: 'm1' },
    ];
    for (const request of requests) expect(parseInspectorRequest(request)).toEqual(request);
  });

  it('refuses what does not fit', () => {
    expect(parseInspectorRequest({ type: 'sources', recordId: 'c1', index: 0.5 })).toBeUndefined();
    expect(parseInspectorRequest({ type: 'texts', recordId: 'c1' })).toBeUndefined();
    expect(parseInspectorRequest({ type: 'messages', sessionId: 's1', from: -1 })).toBeUndefined();
    expect(parseInspectorRequest({ type: 'message-text', messageId: 'm1' })).toBeUndefined();
  });
});

it('no value at all makes a guard throw', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      parseChatRequest(value);
      parseInspectorRequest(value);
    }),
  );
});
