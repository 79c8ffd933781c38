import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OfflineModel } from '../../src/agent/offline/offline-model.ts';
import { repairPairs } from '../../src/compaction/messages/exchange.ts';
import type { Strategy } from '../../src/compaction/strategies/contract/strategy.ts';
import type { SummaryModel } from '../../src/compaction/summary/summary-model.ts';
import { createMeter, SummaryModelDouble, type Run } from '../support/engine.ts';
import { deepFreeze, histories } from '../support/histories.ts';
import { soak } from '../support/soak.ts';
import { expectToSettle, holdToContract } from './contract.ts';

const meter = await createMeter();

const models: Readonly<Record<string, () => SummaryModel>> = {
  offline: () => new OfflineModel({ window: 32_000 }),
  terse: () => new SummaryModelDouble('<summary>notes</summary>'),
  blank: () => new SummaryModelDouble(' \n'),
  talkative: () => new SummaryModelDouble('blah '.repeat(15_000)),
  broken: () => new SummaryModelDouble(() => new Error('500')),
};

const runs = fc.record({
  history: histories,
  model: fc.constantFrom(...Object.keys(models)),
  requirement: fc.constantFrom('soft', 'hard'),
  target: fc.integer({ min: 200, max: 5_000 }),
  protectFirst: fc.boolean(),
});

type Value = ReturnType<typeof runs.generate>['value'];

/** The contract of one strategy with these options, over histories of any shape. */
export function describeContract(
  strategy: Strategy,
  options: Readonly<Record<string, unknown>> = {},
  numRuns = soak(40, 200),
): void {
  describe(`the contract with ${JSON.stringify(options)}`, () => {
    const runOf = ({ history, model, ...rest }: Value): Run => ({
      view: deepFreeze(repairPairs(history.messages)),
      pins: history.pins,
      strategy,
      options,
      model: models[model]!(),
      ...rest,
    });

    it('holds for any history, and at least one compaction is applied', async () => {
      const statuses = new Set<string>();
      const hold = async (value: Value): Promise<void> => {
        statuses.add((await holdToContract(runOf(value), meter)).status);
      };
      await fc.assert(fc.asyncProperty(runs, hold), { numRuns });
      for (const value of fc.sample(runs, { numRuns: 200, seed: 1 })) {
        if (statuses.has('applied')) break;
        await hold(value);
      }
      expect(statuses).toContain('applied');
    });

    it('compacts nothing in a second run', async () => {
      await fc.assert(
        fc.asyncProperty(runs, async (value) => {
          const run: Run = { ...runOf(value), requirement: 'soft', model: models['terse']!() };
          await expectToSettle(run, meter, 1);
        }),
        { numRuns },
      );
    });
  });
}
