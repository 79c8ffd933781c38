import { describe, expect, it } from 'vitest';
import { tailByReplies, tailByTurns } from '../../../../src/compaction/strategies/steps/tail.ts';
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

describe('the start of the tail by replies', () => {
  it.each([
    [0, 10],
    [1, 8],
    [2, 5],
    [3, 3],
    [4, 1],
    [9, 0],
  ])('is, for %i replies, message %i if calls with their results count as one reply', (count, start) => {
    expect(tailByReplies(view, count)).toBe(start);
  });
});

describe('the start of the tail by turns', () => {
  it.each([
    [0, 10],
    [1, 4],
    [2, 0],
    [9, 0],
  ])('is, for %i turns, message %i', (count, start) => {
    expect(tailByTurns(view, count)).toBe(start);
  });
});
