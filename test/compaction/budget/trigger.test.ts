import { describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { GrowthCounter, startedBy, triggerFor } from '../../../src/compaction/budget/trigger.ts';
import type { TriggerSource, TriggerStart } from '../../../src/compaction/records/record.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import { transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { entriesOf, reminder, said, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

describe('the trigger', () => {
  const budget = createBudget({
    window: 100_000,
    reservedOutput: 10_000,
    triggerRatio: 0.85,
    targetRatio: 0.5,
  });

  const none = { messages: 0, turns: 0 };
  const ratios = { triggerRatio: 0.85, targetRatio: 0.5 };

  describe('the start of a compaction', () => {
    const limits = createBudget({
      ...ratios,
      ...{ window: 100_000, reservedOutput: 10_000, backgroundRatio: 0.75 },
      ...{ triggerTokens: 88_000, triggerMessages: 100, triggerTurns: 10 },
    });
    const started = (source: TriggerSource, start: TriggerStart) =>
      startedBy({ source, requirement: 'soft', tokens: 90_000 }, start, limits);

    it.each([
      ['ratio', 85_000],
      ['reserve', 90_000],
      ['tokens', 88_000],
      ['messages', 100],
      ['turns', 10],
      ['overflow', 100_000],
    ] as const)('records the limit that was reached: %s', (source, threshold) => {
      expect(started(source, 'due')).toEqual({
        ...{ source, requirement: 'soft', tokens: 90_000 },
        ...{ start: 'due', threshold },
      });
    });

    it('records the lower limit if it happens in the background', () => {
      expect(started('ratio', 'background')).toMatchObject({ start: 'background', threshold: 75_000 });
    });

    it('records no limit if it is early, because it then depends on savings', () => {
      expect(started('savings', 'early')).not.toHaveProperty('threshold');
    });
  });

  describe('triggerFor', () => {
    it('is undefined below the trigger', () => {
      expect(triggerFor(84_999, none, budget)).toBeUndefined();
    });

    it('is a soft requirement at the trigger', () => {
      expect(triggerFor(85_000, none, budget)).toEqual({
        source: 'ratio',
        requirement: 'soft',
        tokens: 85_000,
      });
    });

    it('is a hard requirement once the reply would no longer fit', () => {
      expect(triggerFor(90_001, none, budget)).toMatchObject({ source: 'reserve', requirement: 'hard' });
    });

    it('is an overflow once the request exceeds the window', () => {
      expect(triggerFor(100_000, none, budget)).toMatchObject({ source: 'reserve' });
      expect(triggerFor(100_001, none, budget)).toMatchObject({ source: 'overflow', requirement: 'hard' });
    });

    it('names the reserve if it determined the trigger', () => {
      const tight = createBudget({ ...ratios, window: 100_000, reservedOutput: 40_000 });
      expect(triggerFor(60_000, none, tight)).toMatchObject({ source: 'reserve', requirement: 'soft' });
    });

    it.each([
      ['tokens', { triggerTokens: 20_000 }, 20_000, none],
      ['messages', { triggerMessages: 100 }, 5_000, { messages: 101, turns: 3 }],
      ['turns', { triggerTurns: 10 }, 5_000, { messages: 40, turns: 11 }],
    ] as const)(
      'is a soft requirement at a limit of %s, with or without a known window',
      (source, settings, tokens, added) => {
        for (const window of [undefined, 100_000]) {
          const trigger = triggerFor(tokens, added, createBudget({ ...ratios, ...settings, window }));
          expect(trigger).toEqual({ source, requirement: 'soft', tokens });
        }
      },
    );

    it.each([
      [{ triggerTokens: 20_000 }, 19_999, none],
      [{ triggerMessages: 100 }, 5_000, { messages: 100, turns: 3 }],
      [{ triggerTurns: 10 }, 5_000, { messages: 40, turns: 10 }],
    ])('is undefined below the limit: %j', (settings, tokens, added) => {
      expect(triggerFor(tokens, added, createBudget({ ...ratios, ...settings }))).toBeUndefined();
    });

    it('names the most urgent of several limits', () => {
      const all = createBudget({
        ...ratios,
        window: 100_000,
        reservedOutput: 10_000,
        triggerTokens: 20_000,
        triggerMessages: 5,
        triggerTurns: 1,
      });
      const added = { messages: 6, turns: 2 };
      const sources = [5_000, 20_000, 85_000, 90_000].map((tokens) => triggerFor(tokens, added, all)?.source);
      expect(sources).toEqual(['messages', 'tokens', 'ratio', 'reserve']);
    });

    it('is undefined if the window is unknown', () => {
      expect(triggerFor(1_000_000, none, createBudget(ratios))).toBeUndefined();
    });
  });
});

describe('GrowthCounter', () => {
  const talk = entriesOf([typed('m1', 'hi'), said('m2', 'hello'), reminder('m3', 'mind the tests')]);
  const sized = (messages: number) => ({ messages, tokens: 9, byKind: {} as never });

  /** An attempt that found three messages. */
  function attempt(status: 'applied' | 'refused', left: number): TranscriptEntry {
    const record = { ...recordWith('c1', [], []), status, before: sized(3), after: sized(left) };
    return { type: 'compaction', record };
  }

  it('counts the messages in the prompt, and a turn for each typed message', () => {
    expect(new GrowthCounter().since(transcriptOf(talk))).toEqual({ messages: 3, left: 0, turns: 1 });
  });

  it('finds the number of messages left by the last attempt, even in a reopened transcript', () => {
    const more = entriesOf([typed('m4', 'go on')]);
    const view = [{ ...said('m9', 'all there is') }];
    const since = (record: TranscriptEntry) =>
      new GrowthCounter().since({ entries: [...talk, record, ...more], view });
    expect(since(attempt('applied', 1))).toEqual({ messages: 1, left: 1, turns: 1 });
    expect(since(attempt('refused', 1))).toEqual({ messages: 1, left: 3, turns: 1 });
  });

  it('does not count a turn twice', () => {
    const counter = new GrowthCounter();
    counter.since(transcriptOf(talk));
    const longer = transcriptOf([...talk, ...entriesOf([said('m4', 'more')])]);
    expect(counter.since(longer)).toEqual({ messages: 4, left: 0, turns: 1 });
  });

  it('starts again after an attempt without a record', () => {
    const counter = new GrowthCounter();
    counter.attempted(transcriptOf(talk));
    const longer = transcriptOf([...talk, ...entriesOf([said('m4', 'more')])]);
    expect(counter.since(longer)).toEqual({ messages: 4, left: 3, turns: 0 });
  });

  it('counts restored messages among those that the last attempt left', () => {
    const restore: TranscriptEntry = { type: 'restore', createdAt: '', messageIds: ['m1'] };
    const { view } = transcriptOf(talk);
    const counter = new GrowthCounter();
    expect(counter.since({ entries: [...talk, attempt('applied', 1), restore], view }).left).toBe(3);
  });
});
