import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultAllocation,
  groupOf,
  overAllocation,
  shareOf,
} from '../../../src/compaction/budget/allocation.ts';
import { kinds, type Kind } from '../../../src/compaction/message.ts';

const usage = (spent: Partial<Record<Kind, number>>) =>
  Object.fromEntries(kinds.map((kind) => [kind, spent[kind] ?? 0])) as Record<Kind, number>;

describe('the allocation', () => {
  it('shares out the whole window', () => {
    expect(Object.values(defaultAllocation).reduce((total, share) => total + share, 0)).toBe(100);
  });

  it('counts memory to the system, and calls and summaries to the conversation', () => {
    expect(groupOf('memory')).toBe('system');
    expect(groupOf('toolCall')).toBe('conversation');
    expect(groupOf('summary')).toBe('conversation');
  });

  it('gives tool results the share of documents, too, because no kind tells them apart', () => {
    expect(shareOf('toolResult')).toBe(45);
  });
});

describe('overAllocation', () => {
  it('is nothing while every group keeps to its share', () => {
    expect(overAllocation(usage({ system: 10, tools: 15, user: 30, toolResult: 45 }), 100)).toEqual([]);
  });

  it('adds up the kinds of a group', () => {
    expect(overAllocation(usage({ system: 6, memory: 5 }), 100)).toEqual([
      { group: 'system', tokens: 11, allotment: 10 },
    ]);
  });

  it('goes by the allocation it is given', () => {
    const allocation = { ...defaultAllocation, tools: 0 };
    expect(overAllocation(usage({ tools: 1 }), 100, allocation)).toEqual([
      { group: 'tools', tokens: 1, allotment: 0 },
    ]);
  });

  it('finds a group whenever the window is overfull', () => {
    const spent = fc.record(
      Object.fromEntries(kinds.map((kind) => [kind, fc.nat(50_000)])) as Record<Kind, fc.Arbitrary<number>>,
    );
    fc.assert(
      fc.property(spent, (byKind) => {
        const total = kinds.reduce((sum, kind) => sum + byKind[kind], 0);
        expect(overAllocation(byKind, Math.max(0, total - 1)).length > 0).toBe(total > 0);
      }),
    );
  });
});
