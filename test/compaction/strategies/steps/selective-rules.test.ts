import { describe, expect, it } from 'vitest';
import { openLoopReasoning } from '../../../../src/compaction/strategies/steps/selective-rules.ts';
import { called, reminder, result, said, typed } from '../../../support/messages.ts';

const thinking = (id: string) => ({ ...called(id, [`call ${id}`, 'Read']), reasoning: 'why' });
const answer = (id: string) => result(`${id}r`, `call ${id}`, 'text');
const view = [
  typed('m1', 'go'),
  thinking('m2'),
  answer('m2'),
  said('m3', 'done'),
  typed('m4', 'go on'),
  thinking('m5'),
  answer('m5'),
  reminder('m6', 'be quick'),
  thinking('m7'),
  answer('m7'),
];

describe('openLoopReasoning', () => {
  it('finds the reasoning since the newest request, despite reminders', () => {
    expect([...openLoopReasoning(view)]).toEqual(['m7', 'm5']);
  });

  it('finds no reasoning once the model has answered or the user has continued', () => {
    expect(openLoopReasoning([...view, said('m8', 'done')]).size).toBe(0);
    expect(openLoopReasoning([...view, typed('m8', 'stop')]).size).toBe(0);
  });
});
