import { describe, expect, it } from 'vitest';
import type { SentMessage } from '../../../src/agent/governed/history-change.ts';
import { hasReplyOf, startingCallOf } from '../../../src/agent/governed/request-links.ts';
import { called, said, typed } from '../../support/messages.ts';

const asked = (content: string): SentMessage => ({ role: 'user', origin: 'person', content });
const task = 'Count the lines of the files in src.';

describe('startingCallOf', () => {
  const calling = (input: Readonly<Record<string, unknown>>) => {
    const message = called('m2', ['call_1', 'task', input]);
    return { view: [typed('m1', 'Delegate it.'), message] };
  };

  it('finds the call whose argument is the task of a sub-agent, also within other text', () => {
    const parent = calling({ prompt: task });
    expect(
      startingCallOf([asked(`<env>\n${task}\n</env>`)], [calling({ prompt: 'Another task.' }), parent]),
    ).toEqual({
      parent,
      callId: 'call_1',
    });
  });

  it('takes neither a path nor a short argument for a task', () => {
    expect(
      startingCallOf(
        [asked('/home/user/project/src/main.ts')],
        [calling({ path: '/home/user/project/src/main.ts' })],
      ),
    ).toBeUndefined();
    expect(startingCallOf([asked('Go on.')], [calling({ prompt: 'Go on.' })])).toBeUndefined();
  });
});

describe('hasReplyOf', () => {
  const summary = `<summary>\n${'The files were read and the price was changed. '.repeat(3)}\n</summary>`;

  it('finds the last reply of a conversation in the first message after its compaction', () => {
    const inside = summary.replace(/<\/?summary>/gu, '').trim();
    expect(
      hasReplyOf([said('m1', summary)], [asked(`This session continues another.\n${inside}`)], false),
    ).toBe(true);
  });

  it('is false for a short reply, for another text, and if the user spoke last', () => {
    expect(hasReplyOf([said('m1', 'Done.')], [asked('Done.')], false)).toBe(false);
    expect(hasReplyOf([said('m1', summary)], [asked('Something else.')], false)).toBe(false);
    expect(hasReplyOf([said('m1', summary), typed('m2', 'Go.')], [asked(summary)], false)).toBe(false);
  });
});
