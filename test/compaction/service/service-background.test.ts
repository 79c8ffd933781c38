import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ladder } from '../../../src/compaction/strategies/ladder.ts';
import { toolResultHiding } from '../../../src/compaction/strategies/tool-result-hiding.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { createMeter } from '../../support/engine.ts';
import { said, textOfTokens, typed } from '../../support/messages.ts';
import { loadCompactions, never, ServiceHarness, settle } from './service-harness.ts';

const meter = await createMeter();

/** The trigger is at 7,500 of 10,000 tokens; in the background it starts at 6,500. */
describe('a background compaction', () => {
  let harness: ServiceHarness;
  beforeAll(async () => {
    await loadCompactions(meter);
  });
  beforeEach(() => {
    harness = new ServiceHarness(meter);
  });

  /** A view of about 7,100 tokens whose compaction is running. */
  const begin = async () => {
    harness.fill(3_300);
    harness.fill(3_300);
    await harness.service.check(never);
    await settle();
  };
  const check = () => harness.service.check(never);

  it('starts below the trigger, without delaying the request', async () => {
    await begin();
    expect(harness.model.isWriting).toBe(true);
    expect(harness.records).toEqual([]);
    expect(harness.told).toEqual(['(start)']);
  });

  it('is applied, before newer messages, by the first check after it has ended', async () => {
    await begin();
    harness.host.say(said('later', 'meanwhile'));
    await check();
    expect(harness.records).toEqual([]);
    harness.model.answer();
    await settle();
    expect(harness.records).toEqual([]);
    await check();
    expect(harness.records).toMatchObject([
      {
        status: 'applied',
        trigger: { source: 'ratio', requirement: 'soft', start: 'background', threshold: 6_500 },
      },
    ]);
    expect(harness.told).toEqual(['(start)', '(end)']);
    expect(harness.host.transcript.view.at(-1)?.id).toBe('later');
    expect(findViolations(harness.host.transcript.view)).toEqual([]);
  });

  it('discards the size that the provider reported for the larger view', async () => {
    await begin();
    harness.service.noteReported({ inputTokens: 7_900, outputTokens: 50 });
    harness.model.answer();
    await settle();
    await check();
    await check();
    expect(harness.records).toHaveLength(1);
    expect(harness.model.asked).toBe(1);
  });

  it('prevents a second compaction, even once the trigger is reached', async () => {
    await begin();
    harness.host.say(said('later', textOfTokens(1_200)));
    await check();
    expect(harness.model.asked).toBe(1);
    expect(harness.told).toEqual(['(start)']);
  });

  it('is awaited if the request would not fit without it', async () => {
    await begin();
    harness.host.say(said('later', textOfTokens(1_900)));
    const checked = check();
    await settle();
    expect(harness.told).toEqual(['(start)', 'start']);
    harness.model.answer();
    await checked;
    expect(harness.records).toMatchObject([{ status: 'applied' }]);
    expect(harness.told).toEqual(['(start)', 'start', 'end']);
    expect(harness.model.asked).toBe(1);
  });

  it('lets a refused request fit if it frees enough', async () => {
    await begin();
    const recovered = harness.service.recoverFromOverflow({ limit: undefined, actual: undefined }, never);
    await settle();
    harness.model.answer();
    expect(await recovered).toBe(true);
    expect(harness.records.map(({ trigger }) => trigger.source)).toEqual(['ratio']);
    expect(harness.model.asked).toBe(1);
  });

  it('is followed by a forced compaction if a refused request still does not fit', async () => {
    await begin();
    harness.host.say(said('later', textOfTokens(800)));
    const recovered = harness.service.recoverFromOverflow({ limit: 500, actual: undefined }, never);
    await settle();
    harness.model.answer();
    await settle();
    harness.model.answer();
    expect(await recovered).toBe(true);
    expect(harness.records.at(-1)).toMatchObject({ status: 'applied', trigger: { source: 'overflow' } });
    expect(await harness.tokens()).toBeLessThan(500);
  });

  describe('is discarded, without a record', () => {
    it('if the conversation changed', async () => {
      await begin();
      const [first] = harness.host.transcript.view;
      harness.host.transcript = { ...harness.host.transcript, view: [first!] };
      await check();
      expect(harness.told).toEqual(['(start)', '(base-changed)']);
      expect(harness.model.isWriting).toBe(false);
    });

    it('if the conversation changed after it ended', async () => {
      await begin();
      harness.model.answer();
      await settle();
      const [first] = harness.host.transcript.view;
      harness.host.transcript = { ...harness.host.transcript, view: [first!] };
      await check();
      expect(harness.told).toEqual(['(start)', '(base-changed)']);
      expect(harness.records).toEqual([]);
    });

    it('if an earlier compaction is undone', async () => {
      harness.fill(2_000);
      harness.fill(500);
      const compacted = harness.service.compactNow({}, never);
      await settle();
      harness.model.answer();
      await compacted;
      harness.fill(6_300);
      await check();
      await harness.service.undo('c1');
      expect(harness.told).toEqual(['start', 'end', '(start)', '(base-changed)']);
      expect(harness.model.isWriting).toBe(false);
    });

    it('if one of the summarised messages was pinned in the meantime', async () => {
      await begin();
      const { id } = harness.host.transcript.view[1]!;
      await harness.host.append({
        type: 'pin',
        pinned: true,
        messageIds: [id],
        createdAt: '2026-01-01T00:00:00.000Z',
      });
      harness.model.answer();
      await settle();
      await check();
      expect(harness.told).toEqual(['(start)', '(base-changed)']);
      expect(harness.host.transcript.view.map((message) => message.id)).toContain(id);
    });

    it('if the user starts a compaction', async () => {
      await begin();
      const compacted = harness.service.compactNow({ focus: 'the lock' }, never);
      await settle();
      expect(harness.told).toEqual(['(start)', '(cancelled)', 'start']);
      harness.model.answer();
      expect(await compacted).toMatchObject({ status: 'applied', focus: 'the lock' });
      expect(harness.records).toHaveLength(1);
      expect(harness.model.mostAtOnce).toBe(1);
    });

    it('if the agent requests a compaction', async () => {
      await begin();
      const compacted = harness.service.compactForAgent('the lock', never);
      await settle();
      harness.model.answer();
      await compacted;
      expect(harness.records.map(({ trigger }) => trigger.source)).toEqual(['agent']);
    });

    it('if the user presses Stop, even in a later turn', async () => {
      await begin();
      const later = new AbortController();
      await harness.service.check(later.signal);
      later.abort();
      await settle();
      expect(harness.told).toEqual(['(start)', '(cancelled)']);
      expect(harness.model.isWriting).toBe(false);
      await check();
      expect(harness.records).toEqual([]);
    });

    it('if the user presses Stop while a request waits for it', async () => {
      await begin();
      harness.host.say(said('later', textOfTokens(1_900)));
      const stop = new AbortController();
      const checked = harness.service.check(stop.signal);
      await settle();
      stop.abort();
      await checked;
      expect(harness.told).toEqual(['(start)', 'start', 'cancelled']);
      expect(harness.records).toEqual([]);
    });

    it('if the chat is closed', async () => {
      await begin();
      await harness.service.stopBackground();
      expect(harness.model.isWriting).toBe(false);
      expect(harness.told).toEqual(['(start)', '(cancelled)']);
    });

    it('if automatic compaction is turned off', async () => {
      await begin();
      harness.settings = { ...harness.settings, mode: 'off' };
      await check();
      expect(harness.told).toEqual(['(start)', '(cancelled)']);
    });
  });

  it('keeps the settings that were valid when it started', async () => {
    await begin();
    harness.choose(toolResultHiding);
    harness.model.answer();
    await settle();
    await check();
    expect(harness.records).toMatchObject([{ status: 'applied', actualStrategy: 'llm-summary' }]);
  });

  describe('that fails', () => {
    const fail = async () => {
      await begin();
      harness.model.answer(new Error('503'));
      await settle();
      await check();
      await settle();
    };

    it('is recorded', async () => {
      await fail();
      expect(harness.records).toMatchObject([{ status: 'failed', reason: { code: 'model-failed' } }]);
      expect(harness.told).toEqual(['(start)', '(end)']);
    });

    it('is tried again only after the view has grown by a step', async () => {
      await fail();
      await check();
      expect(harness.model.asked).toBe(1);
      harness.host.say(typed('later', textOfTokens(250)));
      await check();
      await settle();
      expect(harness.model.asked).toBe(2);
    });

    it('stops further attempts after the third failure in a row', async () => {
      await fail();
      for (let attempt = 0; attempt < 2; attempt++) {
        harness.host.say(said(`later${attempt}`, textOfTokens(250)));
        await check();
        await settle();
        harness.model.answer(new Error('503'));
        await settle();
        await check();
      }
      expect(harness.service.isBreakerOpen).toBe(true);
      harness.host.say(said('much later', textOfTokens(250)));
      await check();
      expect(harness.model.asked).toBe(3);
    });
  });

  describe('does not start', () => {
    it.each([
      ['below its lower limit', 6_300, () => {}],
      ['if background compaction is turned off', 7_000, () => unwanted()],
      ['with a strategy without a model', 7_000, () => harness.choose(toolResultHiding)],
      ['if the user is asked first', 7_000, () => (harness.settings = { ...harness.settings, mode: 'ask' })],
      [
        'if automatic compaction is off',
        7_000,
        () => (harness.settings = { ...harness.settings, mode: 'off' }),
      ],
    ])('%s', async (_where, tokens, change) => {
      change();
      harness.fill(tokens / 2 - 100);
      harness.fill(tokens / 2 - 100);
      await check();
      expect(harness.told).toEqual([]);
    });

    const unwanted = () => {
      const { backgroundRatio: _none, ...budget } = harness.settings.budget;
      harness.settings = { ...harness.settings, budget };
    };
  });

  it('starts once the ladder cannot shorten more without a model', async () => {
    harness.choose(ladder);
    await begin();
    expect(harness.told).toEqual(['(start)']);
  });
});
