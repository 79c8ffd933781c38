import { beforeEach, describe, expect, it } from 'vitest';
import type { CompactionEvent, CompactionSettings } from '../../../src/compaction/service/service-ports.ts';
import { CompactionService } from '../../../src/compaction/service/service.ts';
import { hidingThenSummary } from '../../../src/compaction/strategies/hiding-then-summary.ts';
import { ladder } from '../../../src/compaction/strategies/ladder.ts';
import { lastNMessages } from '../../../src/compaction/strategies/last-n-messages.ts';
import { llmSummary } from '../../../src/compaction/strategies/llm-summary.ts';
import { none } from '../../../src/compaction/strategies/none.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import { selective } from '../../../src/compaction/strategies/selective.ts';
import type { Strategy } from '../../../src/compaction/strategies/contract/strategy.ts';
import { toolResultHiding } from '../../../src/compaction/strategies/tool-result-hiding.ts';
import type { SummaryReply } from '../../../src/compaction/summary/summary-model.ts';
import { recordsOf, transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { createMeter, SummaryModelDouble } from '../../support/engine.ts';
import { called, entriesOf, result, said, textOfTokens, typed } from '../../support/messages.ts';
import { Host, never } from './service-harness.ts';

const meter = await createMeter();

describe('CompactionService', () => {
  let host: Host;
  let settings: CompactionSettings;
  let model: SummaryModelDouble;
  let events: CompactionEvent[];
  let service: CompactionService;
  let records: number;

  beforeEach(() => {
    host = new Host();
    settings = {
      strategy: llmSummary,
      options: resolveOptions(llmSummary.options, {}).options,
      budget: { window: 10_000, reservedOutput: 1_000, triggerRatio: 0.8, targetRatio: 0.5 },
      mode: 'auto',
      protectFirst: false,
    };
    model = new SummaryModelDouble('<summary>notes</summary>');
    events = [];
    records = 0;
    service = new CompactionService(
      host,
      { meter, model: () => model, clock: { now: () => 0 }, nextRecordId: () => `c${++records}` },
      () => settings,
      (event) => {
        if (event.type !== 'compaction-phase') events.push(event);
      },
    );
  });

  const choose = (strategy: Strategy, options = {}) => {
    settings = { ...settings, strategy, options: resolveOptions(strategy.options, options).options };
  };
  const fill = (tokens: number) => {
    const count = host.transcript.entries.length;
    host.say(typed(`u${count}`, 'go on'), said(`a${count}`, textOfTokens(tokens)));
  };
  const tokens = async () => (await service.usage()).total;
  const written = () => recordsOf(host.transcript);

  describe('before a request', () => {
    it('compacts at the trigger and reports the effect', async () => {
      fill(4_000);
      fill(4_000);
      host.say(typed('m9', 'next'));
      await service.check(never);
      expect(written()).toMatchObject([
        { status: 'applied', trigger: { source: 'ratio', requirement: 'soft', start: 'due' } },
      ]);
      expect(events.map(({ type }) => type)).toEqual(['compaction-start', 'compaction-end']);
    });

    it('uses the size reported by the provider, plus the count of later messages', async () => {
      fill(1_000);
      fill(1_000);
      service.noteReported({ inputTokens: 7_900, outputTokens: 100 });
      host.say(typed('m9', 'next'));
      await service.check(never);
      expect(written()).toHaveLength(1);
    });

    it('counts all messages itself if the reported size is out of date', async () => {
      fill(4_000);
      fill(500);
      service.noteReported({ inputTokens: 8_400, outputTokens: 100 });
      await service.check(never);
      await service.check(never);
      expect(written()).toHaveLength(1);
    });

    it('uses the last resort if the reply would no longer fit', async () => {
      choose(toolResultHiding);
      fill(4_600);
      fill(4_600);
      host.say(typed('m9', 'next'));
      await service.check(never);
      expect(written()).toMatchObject([
        { status: 'applied', actualStrategy: 'fold', requestedStrategy: 'tool-result-hiding' },
      ]);
      expect(await tokens()).toBeLessThan(8_000);
    });

    it('leaves the view unchanged if automatic compaction is off or the strategy is none', async () => {
      fill(4_600);
      fill(4_600);
      settings = { ...settings, mode: 'off' };
      await service.check(never);
      settings = { ...settings, mode: 'auto' };
      choose(none);
      await service.check(never);
      expect(written()).toEqual([]);
    });
  });

  describe('with limits for messages and turns', () => {
    const sayTurns = (turns: number) => {
      for (let turn = 0; turn < turns; turn++) fill(10);
    };

    beforeEach(() => {
      choose(lastNMessages, { n: 12, mode: 'keep' });
    });

    it('compacts after a number of messages', async () => {
      settings = { ...settings, budget: { ...settings.budget, triggerMessages: 10 } };
      sayTurns(5);
      await service.check(never);
      expect(written()).toEqual([]);
      fill(10);
      await service.check(never);
      expect(events.map(({ type }) => type)).toEqual(['compaction-start', 'compaction-end']);
    });

    it('does not compact again immediately if a compaction kept more than the limit', async () => {
      settings = { ...settings, budget: { ...settings.budget, triggerMessages: 10 } };
      sayTurns(10);
      await service.check(never);
      expect(written()).toMatchObject([{ status: 'applied', trigger: { source: 'messages' } }]);
      expect(host.transcript.view.length).toBeGreaterThan(10);
      fill(10);
      await service.check(never);
      expect(written()).toHaveLength(1);
    });

    it('counts only the messages in the prompt', async () => {
      settings = { ...settings, budget: { ...settings.budget, triggerMessages: 20 } };
      choose(lastNMessages, { n: 4, mode: 'keep' });
      const sizes: number[] = [];
      for (let turn = 0; turn < 40; turn++) {
        fill(10);
        await service.check(never);
        sizes.push(host.transcript.view.length);
      }
      expect(Math.max(...sizes)).toBe(20);
      // Each leaves a few of 22 messages. The next one is due when the count reaches 20 again.
      expect(written().length).toBeGreaterThan(2);
      expect(written().map(({ before }) => before.messages)).toEqual(written().map(() => 22));
    });

    it('does not compact at every message if it cannot get below the limit', async () => {
      const { triggerRatio, targetRatio } = settings.budget;
      settings = { ...settings, budget: { triggerRatio, targetRatio, triggerMessages: 40 } };
      choose(toolResultHiding);
      const startedAt: number[] = [];
      for (let turn = 0; turn < 50; turn++) {
        fill(1_000);
        const before = events.length;
        await service.check(never);
        if (events.length > before) startedAt.push(host.transcript.view.length);
      }
      // Each time a quarter of the limit is added, and one more message exceeds it.
      expect(startedAt).toEqual([42, 54, 66, 78, 90]);
    });

    it('compacts after a number of turns, even without a known window', async () => {
      const { triggerRatio, targetRatio } = settings.budget;
      settings = { ...settings, budget: { triggerRatio, targetRatio, triggerTurns: 7 } };
      sayTurns(8);
      await service.check(never);
      expect(written()).toMatchObject([
        { status: 'applied', trigger: { source: 'turns', requirement: 'soft' } },
      ]);
    });
  });

  describe('in the mode that asks', () => {
    const asked = () =>
      events.flatMap((event) => (event.type === 'compaction-proposed' ? [event.trigger?.source] : []));

    beforeEach(() => {
      settings = { ...settings, mode: 'ask' };
      fill(4_000);
      fill(4_000);
      host.say(typed('m9', 'next'));
    });

    it('asks the user, and leaves the view unchanged', async () => {
      await service.check(never);
      await service.check(never);
      expect(asked()).toEqual(['ratio']);
      expect(service.proposal).toMatchObject({ source: 'ratio' });
      expect(written()).toEqual([]);
    });

    it('does not compact even if the reply would no longer fit', async () => {
      fill(1_500);
      await service.check(never);
      expect(asked()).toEqual(['reserve']);
      expect(written()).toEqual([]);
    });

    it('asks again only after the view has grown by a step', async () => {
      await service.check(never);
      service.answerProposal();
      expect(service.proposal).toBeUndefined();
      await service.check(never);
      expect(asked()).toEqual(['ratio', undefined]);
      host.say(said('more', textOfTokens(200)));
      await service.check(never);
      expect(asked()).toEqual(['ratio', undefined, 'ratio']);
    });

    it('withdraws the question once the view was compacted', async () => {
      await service.check(never);
      await service.compactNow({}, never);
      expect(asked()).toEqual(['ratio', undefined]);
    });

    it('withdraws the question if the mode changes', async () => {
      await service.check(never);
      settings = { ...settings, mode: 'off' };
      expect(service.proposal).toBeUndefined();
    });

    it('recovers from an overflow without asking', async () => {
      await service.check(never);
      expect(await service.recoverFromOverflow({ limit: 6_000, actual: 9_000 }, never)).toBe(true);
      expect(asked()).toEqual(['ratio', undefined]);
    });
  });

  describe('the focus of a summary', () => {
    beforeEach(() => {
      settings = { ...settings, focus: 'keep error messages' };
      fill(4_000);
      fill(4_000);
      host.say(typed('m9', 'next'));
    });

    it('comes from the settings, even for an automatic compaction', async () => {
      await service.check(never);
      expect(model.requests[0]?.focus).toBe('keep error messages');
      expect(written()[0]?.focus).toBe('keep error messages');
    });

    it("includes the user's words for one compaction", async () => {
      await service.compactNow({ focus: 'the lock' }, never);
      expect(model.requests[0]?.focus).toBe('keep error messages\nthe lock');
    });

    it("includes the strategy's own focus", async () => {
      choose(llmSummary, { focus: 'file names' });
      await service.check(never);
      expect(model.requests[0]?.focus).toBe('file names\nkeep error messages');
    });
  });

  describe('after an unsuccessful attempt', () => {
    const fails = () => {
      model = new SummaryModelDouble(() => new Error('503'));
    };
    const grow = async () => {
      host.say(said(`g${host.transcript.entries.length}`, textOfTokens(210)));
      await service.check(never);
    };

    it('keeps the view and records the reason', async () => {
      fails();
      fill(4_000);
      fill(4_000);
      const before = host.transcript.view;
      await service.check(never);
      expect(host.transcript.view).toEqual(before);
      expect(written()).toMatchObject([{ status: 'failed', reason: { code: 'model-failed' } }]);
    });

    it('does not ask the model again before the view has grown', async () => {
      fails();
      fill(4_000);
      fill(4_000);
      await service.check(never);
      await service.check(never);
      expect(model.requests).toHaveLength(1);
    });

    it('hides old results without a model in the meantime', async () => {
      fails();
      host.say(typed('m1', 'go'));
      for (let id = 2; id < 9; id++) {
        host.say(called(`m${id}`, [`a${id}`, 'x']), result(`m${id}r`, `a${id}`, textOfTokens(1_200)));
      }
      await service.check(never);
      await service.check(never);
      expect(written().map(({ actualStrategy, status }) => [actualStrategy, status])).toEqual([
        ['llm-summary', 'failed'],
        ['tool-result-hiding', 'applied'],
      ]);
    });

    it('still applies those rules of a strategy that need no model', async () => {
      choose(selective, { keepRecentExchanges: 1, summary: 'always', attempts: 1 });
      fails();
      host.say(typed('m1', 'go'), said('m2', textOfTokens(5_700)));
      for (let id = 3; id < 6; id++) {
        host.say(called(`m${id}`, [`a${id}`, 'x']), result(`m${id}r`, `a${id}`, textOfTokens(900)));
      }
      await service.check(never);
      await service.check(never);
      expect(written().map(({ actualStrategy, status }) => [actualStrategy, status])).toEqual([
        ['selective', 'failed'],
        ['selective', 'applied'],
      ]);
      expect(model.requests).toHaveLength(1);
    });

    it('stops asking the model after three failures in a row, and shows this', async () => {
      fails();
      fill(3_800);
      fill(3_600);
      for (let attempt = 0; attempt < 6; attempt++) await grow();
      expect(model.requests).toHaveLength(3);
      expect(service.isBreakerOpen).toBe(true);
    });

    it("still compacts on the user's request, and then resumes automatic compactions", async () => {
      fails();
      fill(3_800);
      fill(3_600);
      for (let attempt = 0; attempt < 6; attempt++) await grow();
      model = new SummaryModelDouble('<summary>notes</summary>');
      const record = await service.compactNow({}, never);
      expect(record.status).toBe('applied');
      expect(service.isBreakerOpen).toBe(false);
    });

    it('waits and stops in the same way if the trigger is a number of messages', async () => {
      fails();
      settings = { ...settings, budget: { ...settings.budget, triggerMessages: 4 } };
      for (let turn = 0; turn < 20; turn++) {
        fill(60);
        await service.check(never);
      }
      expect(written().map(({ trigger }) => trigger.source)).toEqual(['messages', 'messages', 'messages']);
      expect(model.requests).toHaveLength(3);
      expect(service.isBreakerOpen).toBe(true);
    });

    it('does not record automatic attempts without effect', async () => {
      choose(toolResultHiding);
      fill(4_000);
      fill(3_700);
      for (let attempt = 0; attempt < 3; attempt++) await grow();
      expect(written()).toEqual([]);
    });
  });

  describe('after an overflow', () => {
    it('frees enough for the limit named by the provider, even if a larger window is set', async () => {
      settings = { ...settings, budget: { ...settings.budget, window: 100_000 } };
      for (let turn = 0; turn < 4; turn++) fill(2_000);
      host.say(typed('m9', 'next'));
      expect(await service.recoverFromOverflow({ limit: 6_000, actual: 9_000 }, never)).toBe(true);
      expect(written()).toMatchObject([{ trigger: { source: 'overflow', requirement: 'hard' } }]);
      expect(await tokens()).toBeLessThan(6_000);
      expect(service.budget.window).toBeLessThanOrEqual(6_000);
    });

    it('compacts with automatic compaction off, no known window and the strategy none', async () => {
      settings = { ...settings, mode: 'off', budget: { ...settings.budget, window: undefined } };
      choose(none);
      fill(4_000);
      fill(4_000);
      const before = await tokens();
      expect(await service.recoverFromOverflow({ limit: undefined, actual: undefined }, never)).toBe(true);
      expect(await tokens()).toBeLessThan(before * 0.9);
    });

    it('reports failure if nothing can be shortened', async () => {
      host.say(typed('m1', 'hi'));
      expect(await service.recoverFromOverflow({ limit: 5, actual: 10 }, never)).toBe(false);
    });
  });

  describe('one at a time', () => {
    it('makes a manual compaction wait for a running compaction', async () => {
      fill(4_000);
      fill(4_000);
      host.say(typed('m9', 'next'));
      let running = 0;
      let mostAtOnce = 0;
      model = new SummaryModelDouble('notes');
      model.summarise = async (): Promise<SummaryReply> => {
        mostAtOnce = Math.max(mostAtOnce, ++running);
        await Promise.resolve();
        running--;
        return { content: 'notes', finishReason: 'stop' };
      };
      await Promise.all([service.compactNow({}, never), service.compactNow({}, never), service.check(never)]);
      expect(mostAtOnce).toBe(1);
      expect(written()[0]?.status).toBe('applied');
    });

    it('discards a plan if the conversation changed in the meantime', async () => {
      fill(4_000);
      fill(4_000);
      model = new SummaryModelDouble('notes');
      model.summarise = () => {
        host.transcript = transcriptOf(entriesOf([typed('x1', 'another conversation')]));
        return Promise.resolve({ content: 'notes', finishReason: 'stop' });
      };
      const record = await service.compactNow({}, never);
      expect(record).toMatchObject({ status: 'cancelled', reason: { code: 'base-changed' } });
    });

    it('stops when the user asks, and leaves everything unchanged', async () => {
      fill(4_000);
      fill(4_000);
      const stop = new AbortController();
      model = new SummaryModelDouble('notes');
      model.summarise = () => new Promise(() => stop.abort());
      const before = host.transcript.view;
      const record = await service.compactNow({}, stop.signal);
      expect(record.status).toBe('cancelled');
      expect(host.transcript.view).toEqual(before);
    });
  });

  describe('before the window fills up', () => {
    /** Old output that is cheap to remove: almost nothing follows it. */
    const work = (exchanges: number) => {
      host.say(typed('m1', 'go'));
      for (let id = 2; id < 2 + exchanges; id++) {
        host.say(called(`m${id}`, [`a${id}`, 'bash', { command: `run ${id}` }]));
        host.say(result(`m${id}r`, `a${id}`, `${textOfTokens(900)} ${id}`));
      }
    };
    beforeEach(() => {
      settings = { ...settings, budget: { ...settings.budget, window: 100_000 } };
      choose(ladder, { protectTokens: 500 });
    });

    it('shortens old output as soon as this saves more than it costs, without a start event', async () => {
      work(12);
      await service.check(never);
      expect(written()).toMatchObject([
        { status: 'applied', trigger: { source: 'savings', start: 'early' } },
      ]);
      expect(written()[0]!.cost.breakEvenCalls).toBeLessThanOrEqual(5);
      expect(events.map(({ type }) => type)).toEqual(['compaction-end']);
      expect(model.requests).toEqual([]);
    });

    it('changes nothing if this would cost more than it saves', async () => {
      work(12);
      host.say(said('long', textOfTokens(30_000)));
      await service.check(never);
      expect(written()).toEqual([]);
      expect(events).toEqual([]);
    });

    it('plans again only after the view has grown by a step', async () => {
      let plans = 0;
      const counting: Strategy = {
        ...ladder,
        plan: (input, ports, signal) => {
          plans++;
          return ladder.plan(input as never, ports, signal);
        },
      };
      choose(counting);
      fill(3_000);
      await service.check(never);
      await service.check(never);
      expect(plans).toBe(1);
      fill(3_000);
      await service.check(never);
      expect(plans).toBe(2);
    });

    it.each([
      ['is switched off', () => choose(ladder, { protectTokens: 500, early: false })],
      ['asks first', () => (settings = { ...settings, mode: 'ask' })],
      ['is off', () => (settings = { ...settings, mode: 'off' })],
      ['uses a strategy without early shortening', () => choose(hidingThenSummary)],
    ])('does nothing if it %s', async (_name, change) => {
      change();
      work(12);
      await service.check(never);
      expect(written()).toEqual([]);
    });
  });

  describe('for the agent', () => {
    it('compacts even below the trigger, with the focus that the agent named', async () => {
      fill(1_000);
      fill(1_000);
      await service.compactForAgent('the lock', never);
      expect(written()).toMatchObject([
        { status: 'applied', trigger: { source: 'agent' }, focus: 'the lock' },
      ]);
    });

    it.each(['ask', 'off'] as const)('does nothing in the mode %s', async (mode) => {
      settings = { ...settings, mode };
      fill(1_000);
      fill(1_000);
      await service.compactForAgent(undefined, never);
      expect(written()).toEqual([]);
    });
  });

  describe('undo and restore', () => {
    const start = async () => {
      choose(hidingThenSummary, { minFreedTokens: 100, preserveRecentGroups: 1 });
      host.say(typed('m1', 'go'));
      for (let id = 2; id < 6; id++) {
        host.say(called(`m${id}`, [`a${id}`, 'x']), result(`m${id}r`, `a${id}`, textOfTokens(400)));
      }
      const before = JSON.stringify(host.transcript.view);
      await service.compactNow({}, never);
      return before;
    };

    it('name the other records that are undone as well', async () => {
      const before = await start();
      await service.compactNow({ strategy: llmSummary }, never);
      expect(service.undoneWith('c1').map(({ id }) => id)).toEqual(['c1', 'c2']);
      await service.undo('c1');
      expect(JSON.stringify(host.transcript.view)).toBe(before);
    });

    it('refuse to undo a record that is not in force', async () => {
      await start();
      await service.undo('c1');
      await expect(service.undo('c1')).rejects.toThrow('not in force');
    });

    it('restore a message, with its exchange if the call was removed', async () => {
      await start();
      expect(await service.restore('m2r')).toEqual(['m2r']);
      await service.compactNow({ strategy: llmSummary }, never);
      expect(await service.restore('m2r')).toEqual(['m2', 'm2r']);
    });
  });

  describe('a record that was planned earlier', () => {
    it('is applied under its own id, even if the view has grown', async () => {
      choose(toolResultHiding, { preserveRecentGroups: 1 });
      for (const step of ['1', '2', '3']) {
        host.say(
          called(`a${step}`, [`k${step}`, 'read', {}]),
          result(`r${step}`, `k${step}`, textOfTokens(500)),
        );
      }
      const record = await service.compactNow({}, never);
      const compacted = host.transcript.view;
      await service.undo(record.id);
      const base = host.transcript;
      host.say(typed('later', 'and now?'));
      const applied = await service.applyRecord(record, base);
      expect(applied).toMatchObject({ id: 'c2', status: 'applied' });
      expect(host.transcript.view.map(({ id, content }) => [id, content])).toEqual(
        [...compacted, { id: 'later', content: 'and now?' }].map(({ id, content }) => [id, content]),
      );
    });

    it('is not applied to a view for which it was not planned', async () => {
      choose(toolResultHiding, { preserveRecentGroups: 1 });
      for (const step of ['1', '2', '3']) {
        host.say(
          called(`a${step}`, [`k${step}`, 'read', {}]),
          result(`r${step}`, `k${step}`, textOfTokens(500)),
        );
      }
      const base = host.transcript;
      const record = await service.compactNow({}, never);
      const { view } = host.transcript;
      expect(await service.applyRecord(record, base)).toMatchObject({ id: 'c2', status: 'cancelled' });
      expect(host.transcript.view).toEqual(view);
    });
  });
});
