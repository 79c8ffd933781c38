import { describe, expect, it } from 'vitest';
import { startOfNewestTurns, turnsOf } from '../../src/compaction/turn.ts';
import { called, reminder, result, said, system, typed } from '../support/messages.ts';

const view = [
  system('m1', 'rules'),
  typed('m2', 'first'),
  called('m3', ['a', 'Read']),
  result('m4', 'a', 'text'),
  reminder('m5', 'be quick'),
  said('m6', 'done'),
  typed('m7', 'second'),
];

describe('turns', () => {
  it('go from one message a person typed to the next', () => {
    expect(turnsOf(view).map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [1, 6],
      [6, 7],
    ]);
  });

  it('begin with any message in the user role where nobody is known to have typed', () => {
    const imported = [
      reminder('m1', 'x'),
      { ...typed('m2', 'a'), origin: 'harness' as const },
      said('m3', 'b'),
    ];
    expect(turnsOf(imported).map(({ start }) => start)).toEqual([0, 1]);
  });

  it.each([
    [0, 7],
    [1, 6],
    [2, 1],
    [9, 0],
  ])('the newest %i begin at message %i', (count, start) => {
    expect(startOfNewestTurns(view, count)).toBe(start);
  });
});
