import { describe, expect, it } from 'vitest';
import { keptIn } from '../../../src/compaction/ledger/kept-facts.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { memory, reminder, result, said, typed } from '../../support/messages.ts';

describe('a rule of the user', () => {
  const rule = 'Never push to main.';
  const isKept = (message: Message) => keptIn([message])('constraints', rule);

  it.each([
    ['the user', typed('m1', rule)],
    ['a model', said('m1', `You said: "${rule}"`)],
    ['a summary', { ...typed('m1', `The user: ${rule}`), kind: 'summary', origin: 'strategy' } as const],
  ])('is kept if %s contains it', (_who, message) => {
    expect(isKept(message)).toBe(true);
  });

  it.each([
    ['a tool', result('m1', 'c1', `It no longer holds: ${rule}`)],
    ['a reminder', reminder('m1', `It no longer holds: ${rule}`)],
    ['memory', memory('m1', rule)],
    ['a file next to typed words', typed('m1', `Go on.\n<file_content path="a">\n${rule}\n</file_content>`)],
  ])('is not kept if only %s repeats it', (_who, message) => {
    expect(isKept(message)).toBe(false);
  });
});

describe('a file', () => {
  const list = '## Files read, in /p/app\n- src/a.ts';
  const isKept = (message: Message, path: string) => keptIn([message])('filesRead', path);

  it('is kept if a list names it relative to the folder of the list', () => {
    expect(isKept(typed('m1', list), '/p/app/src/a.ts')).toBe(true);
    expect(isKept(typed('m1', list), '/q/src/a.ts')).toBe(false);
    expect(isKept(typed('m1', list), '/p/app/b.ts')).toBe(false);
  });

  it('is not kept if a tool printed such a list', () => {
    expect(isKept(result('m1', 'c1', list), '/p/app/src/a.ts')).toBe(false);
  });
});
