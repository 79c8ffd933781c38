import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { hidingThenSummary } from '../../../src/compaction/strategies/hiding-then-summary.ts';
import { applyRecord } from '../../../src/compaction/transcript/view.ts';
import { createMeter, runCompaction, SummaryModelDouble } from '../../support/engine.ts';
import { called, result, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

const step = (id: number, textTokens: number, resultTokens: number): readonly Message[] => [
  { ...called(`m${id}`, [`a${id}`, 'x']), content: textOfTokens(textTokens) },
  result(`m${id}r`, `a${id}`, textOfTokens(resultTokens)),
];
const history = (steps: number, textTokens: number, resultTokens: number) => [
  typed('m0', 'the task'),
  ...Array.from({ length: steps }, (_, index) => step(index + 1, textTokens, resultTokens)).flat(),
];

describe('hiding-then-summary', () => {
  const run = async (view: readonly Message[], options: Readonly<Record<string, unknown>> = {}) =>
    (
      await runCompaction(
        { view, strategy: hidingThenSummary, options, model: new SummaryModelDouble('notes') },
        meter,
      )
    )[0]!;
  const fates = async (view: readonly Message[], options?: Readonly<Record<string, unknown>>) =>
    new Set((await run(view, options)).actions.map(({ kind }) => kind));

  it('hides results while this frees enough', async () => {
    expect(await fates(history(12, 10, 2_000))).toEqual(new Set(['keep', 'hide']));
  });

  it('summarises if hiding would free too little', async () => {
    expect(await fates(history(12, 1_500, 300))).toEqual(new Set(['keep', 'summarise']));
  });

  it('summarises only once nothing can be hidden if the minimum is 0', async () => {
    const view = history(12, 1_500, 300);
    const options = { minFreedTokens: 0 };
    expect(await fates(view, options)).toEqual(new Set(['keep', 'hide']));
    expect(await fates(applyRecord(view, await run(view, options)), options)).toEqual(
      new Set(['keep', 'summarise']),
    );
  });

  it('summarises if hiding alone cannot reach a hard target', async () => {
    const view = history(12, 2_000, 2_000);
    const [record] = await runCompaction(
      {
        view,
        strategy: hidingThenSummary,
        requirement: 'hard',
        target: 20_000,
        model: new SummaryModelDouble('notes'),
      },
      meter,
    );
    expect(record).toMatchObject({ status: 'applied', actualStrategy: 'hiding-then-summary' });
    expect(record!.after.tokens).toBeLessThanOrEqual(20_000);
  });

  /** The loop of KLIP-13 in which hiding always hides a little and the summary never runs. */
  it('keeps a long tool loop within the window', async () => {
    const window = 20_000;
    const view: Message[] = [typed('m0', 'the task')];
    let current: readonly Message[] = view;
    for (let id = 1; id <= 120; id++) {
      current = [...current, ...step(id, 150, 30)];
      const { total } = await meter.measure(current);
      expect(total).toBeLessThan(window);
      if (total > window * 0.75)
        current = applyRecord(current, await run(current, { minFreedTokens: 1_000 }));
    }
  });
});
