import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blocksOf,
  interruptedResultText,
  pairCalls,
  repairPairs,
  turnsOf,
} from '../../../src/compaction/messages/exchange.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { histories } from '../../support/histories.ts';
import { called, reminder, result, said, system, typed } from '../../support/messages.ts';

describe('exchanges', () => {
  describe('pairCalls', () => {
    it('pairs a result with the nearest preceding call if an id is reused', () => {
      const messages = [
        called('m1', ['call_0', 'read_file']),
        result('m2', 'call_0', 'first'),
        called('m3', ['call_0', 'read_file']),
        result('m4', 'call_0', 'second'),
      ];
      expect([...pairCalls(messages).callerOf]).toEqual([
        [1, 0],
        [3, 2],
      ]);
    });

    it('pairs a second result for the same id with the next unanswered call', () => {
      const messages = [
        called('m1', ['call_0', 'read_file']),
        called('m2', ['call_0', 'read_file']),
        result('m3', 'call_0', 'newer'),
        result('m4', 'call_0', 'older'),
      ];
      expect([...pairCalls(messages).callerOf]).toEqual([
        [2, 1],
        [3, 0],
      ]);
    });

    it('reports results without a call and calls without a result', () => {
      const messages = [
        called('m1', ['a', 'read_file'], ['b', 'read_file']),
        result('m2', 'x', ''),
        result('m3', 'a', ''),
      ];
      const { orphans, unansweredOf } = pairCalls(messages);
      expect([...orphans]).toEqual([1]);
      expect(unansweredOf.get(0)?.map((call) => call.id)).toEqual(['b']);
    });
  });

  describe('repairPairs', () => {
    it('returns the same array if the history is in order', () => {
      const messages = [
        typed('m1', 'hello'),
        called('m2', ['a', 'x']),
        result('m3', 'a', '1'),
        said('m4', 'done'),
      ];
      expect(repairPairs(messages)).toBe(messages);
    });

    it('allows results in a different order from their calls, but only one result for each call', () => {
      const calls = called('m1', ['a', 'x'], ['b', 'x']);
      const turned = [calls, result('m2', 'b', '1'), result('m3', 'a', '2')];
      expect(repairPairs(turned)).toBe(turned);
      const twice = [calls, result('m2', 'a', '1'), result('m3', 'a', '2')];
      expect(repairPairs(twice).map(({ id }) => id)).toEqual(['m1', 'm2', 'm1.2']);
    });

    it('moves a result directly after its call if a message is between them', () => {
      const messages = [called('m1', ['a', 'x']), typed('m2', 'wait'), result('m3', 'a', 'late')];
      expect(repairPairs(messages).map(({ id }) => id)).toEqual(['m1', 'm3', 'm2']);
    });

    it('adds a result that states that the call was interrupted', () => {
      const [, standIn] = repairPairs([called('m1', ['a', 'x']), typed('m2', 'go on')]);
      expect(standIn).toMatchObject({
        role: 'tool',
        tool_call_id: 'a',
        content: interruptedResultText,
        origin: 'harness',
      });
    });

    it('returns the same placeholder object each time, so that views can be compared', () => {
      const messages = [called('m1', ['a', 'x']), typed('m2', 'go on')];
      expect(repairPairs(messages)[1]).toBe(repairPairs(messages)[1]);
    });

    it('leaves out results without a call and messages without content', () => {
      const messages = [
        typed('m1', 'hello'),
        result('m2', 'nobody', 'lost'),
        said('m3', ''),
        said('m4', 'hi'),
      ];
      expect(repairPairs(messages).map(({ id }) => id)).toEqual(['m1', 'm4']);
    });

    it('makes every history valid for a strict endpoint, and changes nothing in a second run', () => {
      fc.assert(
        fc.property(histories, ({ messages }) => {
          const repaired = repairPairs(messages);
          expect(findViolations(repaired)).toEqual([]);
          expect(repairPairs(repaired)).toBe(repaired);
        }),
      );
    });
  });

  describe('blocksOf', () => {
    it('puts a call and all its results into one block', () => {
      const messages = [
        typed('m1', 'hello'),
        called('m2', ['a', 'x'], ['b', 'x']),
        result('m3', 'a', '1'),
        result('m4', 'b', '2'),
        said('m5', 'done'),
      ];
      expect(blocksOf(messages)).toEqual([
        { start: 0, end: 1, isExchange: false },
        { start: 1, end: 4, isExchange: true },
        { start: 4, end: 5, isExchange: false },
      ]);
    });
  });
});

describe('turns', () => {
  const view = [
    system('m1', 'rules'),
    typed('m2', 'first'),
    called('m3', ['a', 'Read']),
    result('m4', 'a', 'text'),
    reminder('m5', 'be quick'),
    said('m6', 'done'),
    typed('m7', 'second'),
  ];

  it('extend from one typed message to the next', () => {
    expect(turnsOf(view).map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [1, 6],
      [6, 7],
    ]);
  });

  it('begin with any message of the user role if no message is known to be typed', () => {
    const imported = [
      reminder('m1', 'x'),
      { ...typed('m2', 'a'), origin: 'harness' as const },
      said('m3', 'b'),
    ];
    expect(turnsOf(imported).map(({ start }) => start)).toEqual([0, 1]);
  });
});
