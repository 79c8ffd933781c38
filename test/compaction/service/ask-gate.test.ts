import { beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { AskGate } from '../../../src/compaction/service/ask-gate.ts';
import type { Trigger, TriggerSource } from '../../../src/compaction/records/record.ts';

const budget = createBudget({ window: 100_000, triggerRatio: 0.85, targetRatio: 0.5 });
const at = (tokens: number, source: TriggerSource = 'ratio'): Trigger => {
  return { source, requirement: 'soft', tokens };
};

describe('AskGate', () => {
  let told: (TriggerSource | undefined)[];
  let proposal: AskGate;

  beforeEach(() => {
    told = [];
    proposal = new AskGate((trigger) => told.push(trigger?.source));
  });

  it('asks only once for repeated triggers of the same kind', () => {
    proposal.update(at(85_000));
    proposal.update(at(86_000));
    expect(told).toEqual(['ratio']);
  });

  it('asks again for a more urgent trigger', () => {
    proposal.update(at(40_000, 'messages'));
    proposal.update(at(85_000));
    expect(told).toEqual(['messages', 'ratio']);
  });

  it('withdraws the question if no trigger remains', () => {
    proposal.update(at(85_000));
    proposal.update(undefined);
    expect(told).toEqual(['ratio', undefined]);
  });

  it('does not ask again before the view has grown by a step', () => {
    proposal.update(at(85_000));
    proposal.answer(budget);
    proposal.update(at(86_999));
    expect(proposal.trigger).toBeUndefined();
    proposal.update(at(87_000));
    expect(told).toEqual(['ratio', undefined, 'ratio']);
  });

  it('asks again immediately after a compaction', () => {
    proposal.update(at(86_000));
    proposal.answer(budget);
    proposal.reset();
    proposal.update(at(85_000));
    expect(proposal.trigger).toEqual(at(85_000));
  });

  it('ignores an answer without a question', () => {
    proposal.answer(budget);
    expect(told).toEqual([]);
  });
});
