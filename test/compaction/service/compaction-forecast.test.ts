import { describe, expect, it } from 'vitest';
import type { CompactionMode } from '../../../src/compaction/service/service-ports.ts';
import { ladder } from '../../../src/compaction/strategies/ladder.ts';
import { llmSummary } from '../../../src/compaction/strategies/llm-summary.ts';
import { none } from '../../../src/compaction/strategies/none.ts';
import type { Strategy } from '../../../src/compaction/strategies/contract/strategy.ts';
import { toolResultHiding } from '../../../src/compaction/strategies/tool-result-hiding.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { createMeter } from '../../support/engine.ts';
import { never, ServiceHarness, settle } from './service-harness.ts';

const meter = await createMeter();

type Happening = 'asked' | 'began beside' | 'compacted' | 'nothing';

/** A view that grows call by call, with the forecast before each and the real event. */
class Growing {
  readonly harness: ServiceHarness;
  private told = 0;

  constructor(
    meter: UsageMeter,
    strategy: Strategy,
    settings: { mode?: CompactionMode; budget?: object } = {},
  ) {
    const harness = new ServiceHarness(meter);
    harness.choose(strategy, strategy === ladder ? { early: false } : {});
    harness.settings = {
      ...harness.settings,
      mode: settings.mode ?? 'auto',
      budget: { ...harness.settings.budget, ...settings.budget },
    };
    this.harness = harness;
  }

  /** The forecast for the next check at the current size of the view. */
  async expected(): Promise<Happening> {
    const { trigger, background, asks } = this.harness.service.outlook();
    const { tokens } = await this.harness.service.size();
    if (trigger !== undefined && tokens >= trigger) return asks === true ? 'asked' : 'compacted';
    return background !== undefined && tokens >= background ? 'began beside' : 'nothing';
  }

  /** Checks, and returns the resulting events. */
  async happened(): Promise<Happening> {
    const { harness } = this;
    const wasAsked = this.isAsked();
    await harness.answering(harness.service.check(never));
    const news = harness.events.slice(this.told);
    this.told = harness.events.length;
    if (!wasAsked && this.isAsked()) return 'asked';
    const [start] = news.flatMap((event) => (event.type === 'compaction-start' ? [event] : []));
    if (start === undefined) return 'nothing';
    return start.isBackground === true ? 'began beside' : 'compacted';
  }

  private isAsked(): boolean {
    return this.harness.service.proposal !== undefined;
  }
}

describe('the forecast of the next compaction', () => {
  it.each([
    ['a strategy with a model, in the background', llmSummary, {}, 'began beside'],
    [
      'a strategy with a model, not in the background',
      llmSummary,
      { budget: { backgroundRatio: undefined } },
      'compacted',
    ],
    ['a strategy without a model', toolResultHiding, {}, 'compacted'],
    ['the ladder', ladder, {}, 'began beside'],
    ['after a question to the user', llmSummary, { mode: 'ask' }, 'asked'],
    [
      'a set number of tokens, without a window',
      llmSummary,
      { budget: { window: undefined, triggerTokens: 5_000 } },
      'began beside',
    ],
    ['little room next to the reply', toolResultHiding, { budget: { reservedOutput: 4_000 } }, 'compacted'],
  ] as const)(
    'states the size at which the compaction starts: %s',
    async (_name, strategy, settings, first: Happening) => {
      // The provider counts like us, more, less, or reports nothing.
      for (const factor of [1, 1.25, 0.8, undefined]) {
        const growing = new Growing(meter, strategy, settings);
        const { harness } = growing;
        const happenings: Happening[] = [];
        while (happenings.length < 60 && !happenings.some((happening) => happening !== 'nothing')) {
          harness.fill(199);
          if (factor !== undefined) {
            const inputTokens = Math.round((await harness.tokens()) * factor);
            harness.service.noteReported({ inputTokens, outputTokens: 0 });
          }
          harness.fill(11);
          const expected = await growing.expected();
          const happened = await growing.happened();
          expect({ factor, happened, tokens: await harness.tokens() }).toMatchObject({ happened: expected });
          happenings.push(happened);
        }
        expect(happenings.at(-1)).toBe(first);
        harness.model.answer();
      }
    },
  );

  it.each(['auto', 'ask'] as const)(
    'accounts for the wait after a failed attempt or a declined question: %s',
    async (mode) => {
      const growing = new Growing(meter, toolResultHiding, { mode });
      const { harness } = growing;
      harness.fill(7_600);
      expect(await growing.expected()).not.toBe('nothing');
      expect(await growing.happened()).not.toBe('nothing');
      harness.service.answerProposal();
      const again: number[] = [];
      for (let count = 0; count < 12; count++) {
        const expected = await growing.expected();
        const happened = await growing.happened();
        expect({ count, happened }).toEqual({ count, happened: expected });
        if (happened !== 'nothing') again.push(count);
        harness.service.answerProposal();
        harness.fill(50);
      }
      expect(again.length).toBeGreaterThan(0);
      expect(again.length).toBeLessThan(12);
    },
  );

  it('reports only the running compaction while there is one', async () => {
    const { harness } = new Growing(meter, llmSummary);
    harness.fill(7_000);
    await harness.service.check(never);
    await settle();
    const { isUnderWay, background } = harness.service.outlook();
    expect({ isUnderWay, background }).toEqual({ isUnderWay: true, background: undefined });
  });

  it('reports that old output may be shortened earlier', async () => {
    const { harness } = new Growing(meter, ladder);
    expect(harness.service.outlook()).not.toHaveProperty('shortensEarly');
    harness.choose(ladder);
    expect(harness.service.outlook()).toMatchObject({ shortensEarly: true });
  });

  it('counts down the remaining messages and turns', async () => {
    const growing = new Growing(meter, toolResultHiding, { budget: { triggerMessages: 6, triggerTurns: 9 } });
    const { harness } = growing;
    const left: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      harness.fill(10);
      const { messagesLeft = -1, turnsLeft = -1 } = harness.service.outlook();
      left.push(messagesLeft, turnsLeft);
      expect(await growing.happened()).toBe('nothing');
    }
    expect(left).toEqual([4, 8, 2, 7, 0, 6]);
    harness.fill(10);
    expect(await growing.happened()).toBe('compacted');
  });

  it.each([
    ['it is switched off', llmSummary, 'off'],
    ['the strategy never compacts', none, 'auto'],
  ] as const)('is empty if %s', async (_name, strategy, mode) => {
    const { harness } = new Growing(meter, strategy, { mode });
    harness.fill(9_000);
    expect(harness.service.outlook()).toEqual({});
  });
});
