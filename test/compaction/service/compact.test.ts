import { describe, expect, it } from 'vitest';
import { llmSummary } from '../../../src/compaction/strategies/llm-summary.ts';
import { none } from '../../../src/compaction/strategies/none.ts';
import { defineStrategy, planned } from '../../../src/compaction/strategies/contract/strategy.ts';
import { createMeter, runCompaction, SummaryModelDouble } from '../../support/engine.ts';
import { called, result, said, system, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

describe('a compaction', () => {
  const history = [
    typed('m1', 'look around'),
    called('m2', ['a', 'read_file', { path: 'src/store.ts' }]),
    result('m3', 'a', textOfTokens(600)),
    said('m4', textOfTokens(600)),
  ];
  const summarising = () => ({
    strategy: llmSummary,
    model: new SummaryModelDouble('<summary>notes</summary>'),
  });
  const pasted = typed('m5', textOfTokens(5_000));

  it('uses the last resort if the view would otherwise exceed the window', async () => {
    const run = { view: [...history, pasted], ...summarising(), window: 4_000 };
    const [first, last] = await runCompaction(run, meter);
    expect(first).toMatchObject({
      status: 'refused',
      reason: {
        code: 'over-target',
        message: expect.stringContaining('more than the window of 4,000') as string,
      },
      tiers: [{ strategy: 'llm-summary', status: 'refused' }],
      trigger: { requirement: 'soft' },
    });
    expect(last).toMatchObject({
      status: 'applied',
      actualStrategy: 'fold',
      trigger: { requirement: 'hard' },
      warnings: [expect.stringContaining('Message m5 is too large for the window')],
    });
    expect(last!.after.tokens).toBeLessThanOrEqual(3_400);
  });

  it('is applied with partial success if nothing can make the view fit', async () => {
    const rules = system('m0', textOfTokens(5_000));
    const records = await runCompaction(
      { view: [rules, ...history, typed('m5', 'and now?')], ...summarising(), window: 4_000 },
      meter,
    );
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ status: 'applied', tiers: [{ status: 'applied' }] });
  });

  it('may stay over the target if the user requested it and the view fits in the window', async () => {
    const run = { view: [...history, pasted], ...summarising(), window: 8_000 };
    const records = await runCompaction(run, meter);
    expect(records).toMatchObject([{ status: 'applied', warnings: [] }]);
  });

  it('has no warnings from a plan that was refused', async () => {
    const clipping = defineStrategy({
      id: 'clipping',
      description: 'Clips what is protected.',
      needsModel: false,
      options: {},
      plan: () =>
        Promise.resolve(
          planned({
            actions: [{ kind: 'clip', id: 'm5', content: 'one', originalTokens: 5_000, reason: 'test' }],
            warnings: ['It was clipped.'],
          }),
        ),
    });
    const [record] = await runCompaction({ view: [...history, pasted], strategy: clipping }, meter);
    expect(record).toMatchObject({ status: 'refused', warnings: [] });
  });

  it('ends well below the trigger for a hard requirement', async () => {
    const talk = Array.from({ length: 40 }, (_, index) => said(`s${index}`, textOfTokens(200)));
    const view = [typed('m1', 'talk'), ...talk];
    const run = { view, strategy: none, requirement: 'hard', window: 8_000, target: 6_800 } as const;
    const record = (await runCompaction(run, meter)).at(-1)!;
    expect(record).toMatchObject({ status: 'applied', actualStrategy: 'fold' });
    expect(record.after.tokens).toBeLessThanOrEqual(4_000);
  });

  it('ends closer to the trigger, but under the target, if the strategy cannot free more', async () => {
    const pinned = typed('p1', textOfTokens(4_500));
    const view = [pinned, ...history, typed('m6', 'and now?')];
    const run = { view, pins: new Set(['p1']), ...summarising() };
    const records = await runCompaction({ ...run, requirement: 'hard', window: 8_000, target: 5_200 }, meter);
    expect(records).toMatchObject([{ status: 'applied', actualStrategy: 'llm-summary', warnings: [] }]);
    expect(records[0]!.after.tokens).toBeGreaterThan(4_000);
  });
});
