import { beforeEach, describe, expect, it } from 'vitest';
import { isTyped, textOf, type Message } from '../../../src/compaction/messages/message.ts';
import type { CompactionMode } from '../../../src/compaction/service/service-ports.ts';
import { strategyIds, strategyOf } from '../../../src/compaction/strategies/index.ts';
import { llmSummary } from '../../../src/compaction/strategies/llm-summary.ts';
import { none } from '../../../src/compaction/strategies/none.ts';
import { toolResultHiding } from '../../../src/compaction/strategies/tool-result-hiding.ts';
import type { Strategy } from '../../../src/compaction/strategies/contract/strategy.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { createMeter } from '../../support/engine.ts';
import { called, result, said, system, textOfTokens, typed } from '../../support/messages.ts';
import { never, ServiceHarness } from './service-harness.ts';

const meter = await createMeter();

/** Requests that do not fit in any mode: the steps that shorten them, and the report if nothing can. */
describe('a request that does not fit', () => {
  let harness: ServiceHarness;
  beforeEach(() => {
    harness = new ServiceHarness(meter);
  });

  const check = () => harness.answering(harness.service.check(never));
  const setWindow = (window: number | undefined) => {
    const { reservedOutput: _reserve, ...budget } = harness.settings.budget;
    harness.settings = { ...harness.settings, budget: { ...budget, window } };
  };
  const resultOf = (id: string): Message => harness.host.transcript.view.find((one) => one.id === id)!;

  const choices: readonly (readonly [Strategy, CompactionMode])[] = [
    [llmSummary, 'auto'],
    [toolResultHiding, 'auto'],
  ];

  it.each<[Strategy, CompactionMode]>([
    [llmSummary, 'ask'],
    [llmSummary, 'off'],
    [none, 'auto'],
    [none, 'off'],
  ])('is shortened only after the provider refused it: %o, in the mode %s', async (strategy, mode) => {
    harness.choose(strategy);
    harness.settings = { ...harness.settings, mode };
    setWindow(8_000);
    for (let turn = 0; turn < 4; turn++) harness.fill(3_000);
    await check();
    expect(harness.records).toEqual([]);
    const refused = { limit: 8_000, actual: 12_000 };
    expect(await harness.answering(harness.service.recoverFromOverflow(refused, never))).toBe(true);
    expect(await harness.tokens()).toBeLessThanOrEqual(6_800);
  });

  describe.each(choices.map(([strategy, mode]) => ({ strategy, mode, id: strategy.id })))(
    'with $id in the mode $mode',
    ({ strategy, mode }) => {
      beforeEach(() => {
        harness.choose(strategy);
        harness.settings = { ...harness.settings, mode };
      });

      it('is shortened before it is sent if the window became smaller', async () => {
        setWindow(32_000);
        for (let turn = 0; turn < 4; turn++) harness.fill(3_000);
        await check();
        expect(harness.records).toEqual([]);
        setWindow(8_000);
        await check();
        expect(harness.records.at(-1)).toMatchObject({
          status: 'applied',
          trigger: { source: 'overflow', requirement: 'hard' },
        });
        expect(await harness.tokens()).toBeLessThanOrEqual(6_800);
      });

      it('has the middle of its newest result removed if that alone exceeds the window', async () => {
        harness.host.say(
          typed('m1', 'look at the log'),
          called('m2', ['a', 'read_file', { path: 'server.log' }]),
        );
        harness.host.say(result('m3', 'a', `first line\n${textOfTokens(30_000)}\nlast line`));
        await check();
        expect(harness.records.at(-1)).toMatchObject({ status: 'applied' });
        expect(await harness.tokens()).toBeLessThanOrEqual(8_000);
        const text = textOf(resultOf('m3').content);
        expect(text).toContain('first line');
        expect(text).toContain('last line');
        expect(text).toContain('recall("m3")');
        expect(findViolations(harness.host.transcript.view)).toEqual([]);
      });
    },
  );

  it('is not affected by a window learned from another model', async () => {
    for (let turn = 0; turn < 3; turn++) harness.fill(1_000);
    await harness.answering(harness.service.recoverFromOverflow({ limit: 2_000, actual: undefined }, never));
    expect(harness.service.budget.window).toBeLessThan(2_000);
    setWindow(200_000);
    expect(harness.service.budget.window).toBe(200_000);
  });

  it('is shortened even if the limit that the provider names is above our count', async () => {
    for (let turn = 0; turn < 4; turn++) harness.fill(1_000);
    const before = await harness.tokens();
    const recovered = await harness.answering(
      harness.service.recoverFromOverflow({ limit: 9_000, actual: undefined }, never),
    );
    expect(recovered).toBe(true);
    expect(await harness.tokens()).toBeLessThan(before * 0.9);
  });

  it('is reported with its size if nothing can be shortened', async () => {
    harness.host.say(system('m1', textOfTokens(4_000)), typed('m2', 'hi'));
    const floor = await harness.tokens();
    expect(await harness.service.recoverFromOverflow({ limit: 3_000, actual: undefined }, never)).toBe(false);
    expect(harness.records.at(-1)).toMatchObject({ status: 'failed', reason: { code: 'exhausted' } });
    expect(harness.records.at(-1)?.reason?.message).toContain(`${floor.toLocaleString('en')} tokens`);
  });
});

describe('compactAfterStep, called after a step of the plan', () => {
  let harness: ServiceHarness;
  beforeEach(() => {
    harness = new ServiceHarness(meter);
    harness.choose(toolResultHiding);
    harness.settings = { ...harness.settings, afterPlanStep: true };
    harness.host.say(typed('m1', 'go'));
    for (let id = 2; id < 8; id++) {
      harness.host.say(called(`m${id}`, [`a${id}`, 'x']), result(`m${id}r`, `a${id}`, textOfTokens(1_000)));
    }
  });

  it('compacts even below the trigger', async () => {
    await harness.service.compactAfterStep(never);
    expect(harness.records).toMatchObject([{ status: 'applied', trigger: { source: 'planStep' } }]);
  });

  it.each([
    ['the setting is off', () => (harness.settings = { ...harness.settings, afterPlanStep: false })],
    ['automatic compaction is off', () => (harness.settings = { ...harness.settings, mode: 'off' })],
    ['the user is asked first', () => (harness.settings = { ...harness.settings, mode: 'ask' })],
    ['the view is below the target', () => raiseTarget()],
  ])('does nothing if %s', async (_where, change) => {
    change();
    await harness.service.compactAfterStep(never);
    expect(harness.records).toEqual([]);
  });

  const raiseTarget = () => {
    const budget = { ...harness.settings.budget, targetRatio: 0.75 };
    harness.settings = { ...harness.settings, budget };
  };

  it('does nothing during a background compaction', async () => {
    harness.choose(llmSummary);
    harness.host.say(said('m9', textOfTokens(1_000)));
    await harness.service.check(never);
    await harness.service.compactAfterStep(never);
    expect(harness.told).toEqual(['(start)']);
  });
});

describe('the newest request of the user', () => {
  it.each(strategyIds.filter((id) => id !== 'none'))(
    'stays word for word as the last message after %s',
    async (id) => {
      const harness = new ServiceHarness(meter);
      harness.choose(strategyOf(id));
      for (let turn = 0; turn < 8; turn++) {
        harness.host.say(
          typed(`u${turn}`, `Rename the function number${turn}.`),
          called(`m${turn}`, [`a${turn}`, 'read_file', { path: `src/file${turn}.ts` }]),
          result(`r${turn}`, `a${turn}`, textOfTokens(900)),
          said(`s${turn}`, `Done: number${turn} has another name.`),
        );
      }
      const newest = typed('newest', '  Now  only\ttell me why.\n');
      harness.host.say(newest);
      await harness.answering(harness.service.compactNow({}, never));
      expect(harness.host.transcript.view.findLast(isTyped)).toEqual(newest);
      expect(harness.host.transcript.view.at(-1)).toEqual(newest);
    },
  );
});
