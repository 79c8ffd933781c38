import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { slidingWindow } from '../../../src/compaction/strategies/sliding-window.ts';
import { viewAfter } from '../../contract/contract.ts';
import { describeContract } from '../../contract/any-history.ts';
import { createMeter, runCompaction } from '../../support/engine.ts';
import { called, result, said, system, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

/** Two turns; each message takes 100 tokens, the call a few less. */
const view: readonly Message[] = [
  system('m0', textOfTokens(97)),
  typed('m1', textOfTokens(97)),
  said('m2', textOfTokens(97)),
  typed('m3', textOfTokens(97)),
  called('m4', ['a', 'bash', { command: textOfTokens(85) }]),
  result('m5', 'a', textOfTokens(97)),
  said('m6', textOfTokens(97)),
];

describe('sliding-window', () => {
  const keptIn = async (
    messages: readonly Message[],
    options: Readonly<Record<string, unknown>>,
    target?: number,
  ) => {
    const record = (
      await runCompaction(
        { view: messages, strategy: slidingWindow, options, ...(target === undefined ? {} : { target }) },
        meter,
      )
    )[0]!;
    return viewAfter(messages, record).map(({ id }) => id);
  };
  const all = view.map(({ id }) => id);

  it.each([
    ['everything if it fits', 1_000, all],
    ['the newest messages that fit, beginning with a request', 640, ['m0', 'm3', 'm4', 'm5', 'm6']],
    ['an exchange completely or not at all', 390, ['m0', 'm3', 'm6']],
  ])('keeps %s', async (_name, budget, kept) => {
    expect(await keptIn(view, { budget })).toEqual(kept);
  });

  it('reduces the context to the target if no budget is set', async () => {
    expect(await keptIn(view, {}, 550)).toEqual(['m0', 'm3', 'm4', 'm5', 'm6']);
  });

  it('keeps the newest user message, and the newest replies if they fit', async () => {
    const kept = await keptIn(view, { budget: 310 });
    expect(kept).toEqual(['m0', 'm3', 'm6']);
    expect(await keptIn(view, { budget: 1 })).toEqual(['m0', 'm3']);
  });

  it('gives a reason if neither a window nor a budget is known', async () => {
    const result = await slidingWindow.plan(
      { options: { budget: 0 }, target: undefined, trigger: { requirement: 'soft' } } as never,
      {} as never,
      new AbortController().signal,
    );
    expect(result).toMatchObject({
      kind: 'unchanged',
      reason: expect.objectContaining({ key: 'strategies.noWindowAndNoBudget' }) as object,
    });
  });

  describeContract(slidingWindow, { budget: 500 });
});
