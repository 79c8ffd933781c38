import { describe, expect, it } from 'vitest';
import { changeBetween, comparedTo, type SentMessage } from '../../../src/agent/governed/history-change.ts';

/** A message for each letter. Capitals are prompts, `!` is a system prompt, and the others are replies. */
function history(letters: string) {
  return [...letters].map((letter) => {
    const role = letter === '!' ? 'system' : letter === letter.toUpperCase() ? 'user' : 'assistant';
    return comparedTo({ role, content: letter, origin: 'person' });
  });
}

const changeOf = (before: string, after: string) => changeBetween(history(before), history(after));

describe('changeBetween', () => {
  it('finds what was added at the end', () => {
    expect(changeOf('!A', '!AbC')).toMatchObject({
      appendedFrom: 2,
      gone: [],
      insertions: [],
      rewritten: [],
    });
  });

  it('finds a message that was rewritten in its place', () => {
    expect(changeOf('!AbCd', '!AxCdE')).toMatchObject({ rewritten: [2], gone: [], appendedFrom: 5 });
  });

  it('finds the end that was left out after an edit of a prompt', () => {
    expect(changeOf('!AbCd', '!AbXe')).toMatchObject({ gone: [3, 4], rewritten: [], appendedFrom: 3 });
  });

  it('finds one text in place of several messages', () => {
    expect(changeOf('!AbCdEfGh', '!SGhI')).toMatchObject({
      insertions: [{ from: 1, to: 2, gone: [1, 2, 3, 4, 5, 6] }],
      appendedFrom: 4,
    });
  });

  it('takes a reminder that always comes last as moved', () => {
    expect(changeOf('!AR', '!AbcR')).toMatchObject({ gone: [2], insertions: [], appendedFrom: 2 });
  });

  it.each([
    ['another system prompt before the same prompt', '!A', 'XA'],
    ['another prompt after the same system prompt', '!Ab', '!X'],
    ['a point far back', '!AbCdEfGhIj', '!AX'],
  ])('takes %s as another conversation', (_case, before, after) => {
    expect(changeOf(before, after)?.likeness).toBeUndefined();
  });
});

describe('comparedTo', () => {
  const call = (json: string): SentMessage => ({
    role: 'assistant',
    content: null,
    origin: 'model',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: json } }],
  });

  it('does not tell arguments in another order apart', () => {
    expect(comparedTo(call('{"path": "a", "line": 1}'))).toEqual(comparedTo(call('{"line":1,"path":"a"}')));
  });

  it('does not tell a message with its reasoning from one without', () => {
    const said: SentMessage = { role: 'assistant', content: 'yes', origin: 'model' };
    expect(comparedTo({ ...said, reasoning: 'perhaps' })).toEqual(comparedTo(said));
  });

  it('tells pictures apart', () => {
    const shows = (url: string): SentMessage => ({
      role: 'user',
      origin: 'person',
      content: [{ type: 'image_url', image_url: { url } }],
    });
    expect(comparedTo(shows('data:a'))).not.toEqual(comparedTo(shows('data:b')));
  });
});
