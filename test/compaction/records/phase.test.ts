import { beforeEach, describe, expect, it } from 'vitest';
import { type CompactionPhase, PhaseTeller } from '../../../src/compaction/records/phase.ts';
import { reasonOf } from '../../../src/compaction/records/reason.ts';
import type { PhaseEvent } from '../../../src/compaction/service/service-ports.ts';
import { ladder } from '../../../src/compaction/strategies/ladder.ts';
import { selective } from '../../../src/compaction/strategies/selective.ts';
import { toolResultHiding } from '../../../src/compaction/strategies/tool-result-hiding.ts';
import { createMeter } from '../../support/engine.ts';
import { said, textOfTokens } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';
import { never, ServiceHarness, settle } from '../service/service-harness.ts';

const meter = await createMeter();

describe('the phases of a compaction', () => {
  let harness: ServiceHarness;

  beforeEach(() => {
    harness = new ServiceHarness(meter);
    for (let turn = 0; turn < 6; turn++) harness.fill(900);
  });

  const phases = () =>
    harness.events.filter((event): event is PhaseEvent => event.type === 'compaction-phase');
  const inShort = () =>
    phases().map((event) => {
      if (event.phase === 'summary-start') return `${event.phase} ${event.model}`;
      if (event.phase === 'summary-end') return `${event.phase} ${event.outcome}`;
      if (event.phase === 'before' || event.phase === 'tier-start') return `${event.phase} ${event.strategy}`;
      if (event.phase === 'rollback') return `${event.phase} ${event.reason.code}`;
      return event.phase === 'tier-end'
        ? `${event.phase} ${event.strategy} ${event.status}`
        : `${event.phase} ${event.status}`;
    });

  it('are reported in order, with the measurements in the written record', async () => {
    await harness.answering(harness.service.compactNow({}, never));
    expect(inShort()).toEqual([
      'before llm-summary',
      'tier-start llm-summary',
      'summary-start patient',
      'summary-end replied',
      'tier-end llm-summary applied',
      'done applied',
    ]);
    const [record] = harness.records;
    expect(phases().at(-1)).toMatchObject({
      compaction: 1,
      trigger: { source: 'manual' },
      strategy: 'llm-summary',
      tokensBefore: record?.before.tokens,
      tokensAfter: record?.after.tokens,
    });
    const order = harness.events.map(({ type }) => type).filter((type) => type !== 'compaction-phase');
    expect(order).toEqual(['compaction-start', 'compaction-end']);
    expect(harness.events.at(-1)?.type).toBe('compaction-end');
  });

  it('include the same steps of the ladder as the record', async () => {
    harness.choose(ladder);
    await harness.answering(harness.service.compactNow({}, never));
    const ends = phases().flatMap((event) =>
      event.phase === 'tier-end' ? [{ strategy: event.strategy, status: event.status }] : [],
    );
    const [record] = harness.records;
    expect(ends.length).toBeGreaterThan(2);
    expect(ends).toEqual(record?.tiers.map(({ strategy, status }) => ({ strategy, status })));
  });

  it('include the two steps of the strategy selective', async () => {
    harness.choose(selective, { summary: 'always' });
    await harness.answering(harness.service.compactNow({}, never));
    expect(inShort()).toEqual([
      'before selective',
      'tier-start selective',
      'tier-start rules',
      expect.stringMatching(/^tier-end rules/),
      'tier-start summary',
      'summary-start patient',
      'summary-end replied',
      'tier-end summary applied',
      'tier-end selective applied',
      'done applied',
    ]);
  });

  it('include a rollback of a refused plan, followed by the last resort', async () => {
    harness.host.say(said('more', textOfTokens(5_000)));
    const recovering = harness.service.recoverFromOverflow({ limit: undefined, actual: undefined }, never);
    await settle();
    harness.model.answer('');
    expect(await recovering).toBe(true);
    expect(inShort()).toEqual([
      'before llm-summary',
      'tier-start llm-summary',
      'summary-start patient',
      'summary-end replied',
      'tier-end llm-summary refused',
      'rollback summary-empty',
      'tier-start fold',
      'tier-end fold applied',
      'done applied',
    ]);
  });

  it('include a rollback of a stopped compaction', async () => {
    harness.choose(ladder);
    const stop = new AbortController();
    const compacting = harness.service.compactNow({}, stop.signal);
    while (!harness.model.isWriting) await settle();
    stop.abort();
    await compacting;
    expect(inShort().slice(-5)).toEqual([
      'summary-end cancelled',
      'tier-end anchored-summary cancelled',
      'tier-end ladder cancelled',
      'rollback cancelled',
      'done cancelled',
    ]);
  });

  it('include a rollback of a background compaction if the view changed', async () => {
    harness.host.say(said('more', textOfTokens(1_900)));
    await harness.service.check(never);
    expect(phases()[0]).toMatchObject({ phase: 'before', isBackground: true });
    const [oldest] = harness.host.transcript.view;
    await harness.service.restore(oldest?.id ?? '');
    await settle();
    expect(inShort().slice(-2)).toEqual(['rollback cancelled', 'done cancelled']);
  });

  it('end in a failure if a request to the model fails', async () => {
    const compacting = harness.service.compactNow({}, never);
    await settle();
    harness.model.answer(new Error('no network'));
    await compacting;
    expect(inShort().slice(2)).toEqual([
      'summary-start patient',
      'summary-end failed',
      'tier-end llm-summary failed',
      'rollback model-failed',
      'done failed',
    ]);
  });

  it('include no rollback if there was nothing to do', async () => {
    harness.choose(toolResultHiding);
    await harness.service.compactNow({}, never);
    expect(inShort()).toEqual([
      'before tool-result-hiding',
      'tier-start tool-result-hiding',
      'tier-end tool-result-hiding unchanged',
      'done unchanged',
    ]);
  });

  it('are numbered by compaction', async () => {
    harness.choose(toolResultHiding);
    await harness.service.compactNow({}, never);
    await harness.service.compactNow({}, never);
    expect(new Set(phases().map(({ compaction }) => compaction))).toEqual(new Set([1, 2]));
  });
});

describe('PhaseTeller', () => {
  const trigger = { source: 'manual', requirement: 'soft', tokens: 70 } as const;
  const reason = reasonOf('over-target', 'Too large.');
  const applied = {
    ...recordWith('c1', [], []),
    before: { ...recordWith('c1', [], []).before, tokens: 50 },
    durationMs: 3,
  };
  const refused = { ...applied, status: 'refused', reason } as const;

  function started() {
    const told: CompactionPhase[] = [];
    const teller = new PhaseTeller((phase) => told.push(phase), trigger);
    return { teller, told };
  }

  it('ends inner steps with the outer step, innermost first', () => {
    const { teller, told } = started();
    for (const strategy of ['ladder', 'fold']) teller.tell({ phase: 'tier-start', strategy });
    teller.tell({ phase: 'tier-end', strategy: 'ladder', status: 'failed' });
    teller.tell({ phase: 'tier-end', strategy: 'rules', status: 'applied' });
    expect(told.slice(2)).toEqual([
      { phase: 'tier-end', strategy: 'fold', status: 'failed' },
      { phase: 'tier-end', strategy: 'ladder', status: 'failed' },
      { phase: 'tier-end', strategy: 'rules', status: 'applied' },
    ]);
  });

  it.each([
    ['applied', [applied], [applied], []],
    ['refused', [refused], [refused], []],
    ['planned, but refused when it was to be written', [applied], [refused], ['rollback']],
    ['cancelled without a reason', [applied], [{ ...applied, status: 'cancelled' }], []],
    ['refused without a plan', [], [refused], []],
  ] as const)(
    'reports a rollback only if an accepted plan was refused later: %s',
    (_, planned, written, before) => {
      const { teller, told } = started();
      teller.done(planned, written);
      expect(told.map(({ phase }) => phase)).toEqual([...before, 'done']);
    },
  );

  it('reports the sizes of the next request, and any reason', () => {
    const { teller, told } = started();
    teller.done([applied], [applied]);
    teller.done([refused], [refused]);
    teller.done([], []);
    const sizes = { phase: 'done', strategy: 'test', tokensBefore: 50, durationMs: 3 };
    expect(told).toEqual([
      { ...sizes, status: 'applied', tokensAfter: 0 },
      { ...sizes, status: 'refused', reason, tokensAfter: 50 },
    ]);
  });

  it('reports a discarded compaction as rolled back', async () => {
    const { teller, told } = started();
    teller.discarded(Promise.resolve([applied]), reason);
    await settle();
    expect(told).toMatchObject([
      { phase: 'rollback', strategy: 'test', reason },
      { phase: 'done', status: 'cancelled', reason },
    ]);
  });

  const failure = {
    ...{
      phase: 'done',
      strategy: 'ladder',
      status: 'failed',
      tokensBefore: 70,
      tokensAfter: 70,
      durationMs: 0,
    },
    reason: { code: 'strategy-failed', message: 'no memory' },
  };

  it('reports a failed plan under its strategy, and throws the error again', async () => {
    const { teller, told } = started();
    teller.tell({ phase: 'before', strategy: 'ladder' });
    teller.tell({ phase: 'tier-start', strategy: 'fold' });
    await expect(teller.planning(Promise.reject(new Error('no memory')))).rejects.toThrow('no memory');
    expect(told.at(-1)).toEqual(failure);
    expect(await teller.planning(Promise.resolve(1))).toBe(1);
  });

  it('reports the failure of a discarded plan', async () => {
    const { teller, told } = started();
    teller.tell({ phase: 'before', strategy: 'ladder' });
    teller.discarded(Promise.reject(new Error('no memory')), reason);
    await settle();
    expect(told.slice(1)).toEqual([failure]);
  });
});
