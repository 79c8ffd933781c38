import { describe, expect, it } from 'vitest';
import { typedQuestion } from '../../../src/agent/offline/offline-turn.ts';

describe('the typed part of a message', () => {
  it.each([
    ['Where is the lock?', 'Where is the lock?'],
    ['What does @src/lock.ts do?', 'What does src/lock.ts do?'],
    ['read @src/lock.ts:10-20', 'read src/lock.ts:10-20'],
    ['read @"docs/my notes.md"', 'read "docs/my notes.md"'],
    ['Mail to me@example.com', 'Mail to me@example.com'],
    ['Explain #selection here', 'Explain  here'],
  ])('is found in: %s', (typed, question) => {
    expect(typedQuestion(typed)).toBe(question);
  });

  it.each(['attachment', 'attachment-2'])('ends before the first <%s>', (tag) => {
    const content = 'class LockedError extends Error {}';
    const message = `What is this?\n\n<${tag} type="file" path="src/lock.ts">\n${content}\n</${tag}>`;
    expect(typedQuestion(message)).toBe('What is this?');
  });
});
