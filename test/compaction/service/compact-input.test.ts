import { describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { compact } from '../../../src/compaction/service/compact.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { defineStrategy, unchanged } from '../../../src/compaction/strategies/contract/strategy.ts';
import { createMeter } from '../../support/engine.ts';
import { said, typed } from '../../support/messages.ts';

const meter = await createMeter();

const view = [typed('m3', 'and now?')];
const history = [typed('m1', 'begin'), said('m2', 'done'), ...view];

describe('the input of a strategy', () => {
  const givenHistory = async (known: { readonly history?: readonly Message[] }) => {
    let given: readonly Message[] | undefined;
    const strategy = defineStrategy({
      id: 'listener',
      description: 'Remembers what it was given.',
      needsModel: false,
      options: {},
      plan(input) {
        given = input.history;
        return Promise.resolve(unchanged('It only listens.'));
      },
    });
    await compact(
      {
        view,
        ...known,
        tools: [],
        pins: new Set(),
        protectFirst: false,
        trigger: { source: 'manual', requirement: 'soft', tokens: 0 },
        budget: createBudget({ window: 1_000, triggerRatio: 0.8, targetRatio: 0.5 }),
        target: undefined,
        strategy,
        options: {},
      },
      { meter, model: () => undefined, clock: { now: () => 0 }, nextRecordId: () => 'c1' },
      new AbortController().signal,
    );
    return given;
  };

  it('contains all original messages if they are known', async () => {
    expect(await givenHistory({ history })).toBe(history);
  });

  it('contains the messages in context if the original messages are unknown', async () => {
    expect(await givenHistory({})).toBe(view);
  });
});
