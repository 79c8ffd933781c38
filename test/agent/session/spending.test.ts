import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { failuresUntilOpen } from '../../../src/compaction/budget/attempt-guard.ts';
import type { CompactionSettings } from '../../../src/compaction/service/service-ports.ts';
import { ladder } from '../../../src/compaction/strategies/ladder.ts';
import { llmSummary } from '../../../src/compaction/strategies/llm-summary.ts';
import type { Strategy } from '../../../src/compaction/strategies/contract/strategy.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { recordsOf } from '../../../src/compaction/transcript/transcript.ts';
import { createMeter } from '../../support/engine.ts';
import { textOfTokens } from '../../support/messages.ts';
import { SessionHarness, settingsFor } from './session-harness.ts';

describe('a session', () => {
  let meter: UsageMeter;
  let harness: SessionHarness;
  let summaryRequests = 0;

  beforeAll(async () => {
    meter = await createMeter();
  });
  afterEach(() => harness[Symbol.asyncDispose]());

  const begin = async (strategy: Strategy, summary: string, settings: Partial<CompactionSettings> = {}) => {
    summaryRequests = 0;
    const all: CompactionSettings = {
      ...settingsFor(strategy),
      budget: { window: 8_000, reservedOutput: 1_000, triggerRatio: 0.85, targetRatio: 0.5 },
      ...settings,
    };
    harness = await SessionHarness.start(meter, { settings: () => all });
    harness.server.replyWith(({ body }) => {
      if (!JSON.stringify(body).includes('material to take notes'))
        return { text: `ok ${textOfTokens(300)}` };
      summaryRequests++;
      return { text: summary };
    });
  };
  const talk = async (turns: number, tokens = 500) => {
    for (let turn = 0; turn < turns; turn++)
      await harness.session.send(`turn ${turn} ${textOfTokens(tokens)}`);
  };

  describe.each([ladder, llmSummary])('with $id', (strategy) => {
    it('stops asking a model after three useless compactions', async () => {
      await begin(strategy, '');
      await talk(30);
      // Each summary is requested after the chat's own request, and then once more separately.
      expect(summaryRequests).toBeLessThanOrEqual(2 * failuresUntilOpen);
      expect(harness.session.compaction.isBreakerOpen).toBe(true);
      expect(harness.session.lastTurn).toBeUndefined();
    });

    it('stays within the spending limit for summaries, even after a reload', async () => {
      await begin(strategy, '<summary>notes</summary>', { spendingLimit: { requests: 2 } });
      await talk(25);
      expect(summaryRequests).toBe(2);
      expect(harness.session.compaction.isSpendingLimitReached).toBe(true);
      const used = recordsOf(harness.session.transcript).map(({ modelUse }) => modelUse?.requests ?? 0);
      expect(used.reduce((sum, one) => sum + one, 0)).toBe(2);
    });
  });

  it('sends a view larger than the window unchanged if compaction is off and the provider accepts it', async () => {
    await begin(ladder, '<summary>notes</summary>', { mode: 'off' });
    await talk(12, 600);
    expect(recordsOf(harness.session.transcript)).toEqual([]);
  });

  it('does not pay for a summary at every turn if pinned content keeps the view above the trigger', async () => {
    await begin(llmSummary, '<summary>notes</summary>');
    await harness.session.send(`keep this ${textOfTokens(4_500)}`);
    await talk(18, 300);
    const applied = recordsOf(harness.session.transcript).filter(({ status }) => status === 'applied');
    expect(applied.length).toBeGreaterThan(5);
    expect(summaryRequests).toBeLessThanOrEqual(9);
  });

  it("counts the user's requests to a model outside a compaction, and never refuses them", async () => {
    await begin(llmSummary, '<summary>notes</summary>', { spendingLimit: { requests: 2 } });
    const { compaction } = harness.session;
    const model = await compaction.charged({
      id: 'titles',
      window: undefined,
      summarise: () => Promise.resolve({ content: 'A title', finishReason: 'stop' }),
    });
    const request = { instructions: '', prompt: 'Name it.', sources: [], focus: undefined, tag: 'title' };
    const never = new AbortController().signal;
    const ask = () => model.summarise({ ...request, maxOutputTokens: 100 }, never);
    await ask();
    expect(compaction.isSpendingLimitReached).toBe(false);
    await ask();
    expect(compaction.isSpendingLimitReached).toBe(true);
    await ask();
    await talk(25);
    expect(summaryRequests).toBe(0);
  });
});
