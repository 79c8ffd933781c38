import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { CompactionFailure } from '../../../src/compaction/records/reason.ts';
import type { CustomStrategy } from '../../../src/compaction/strategies/contract/custom-strategy.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import { strategyIds, strategyOf, type StrategyId } from '../../../src/compaction/strategies/index.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import type { Allowance } from '../../../src/compaction/budget/summary-spending.ts';
import type { ModelUse } from '../../../src/compaction/records/record.ts';
import { OfflineModel } from '../../../src/agent/offline/offline-model.ts';
import { compactBilled } from '../../../src/compaction/service/billed-compaction.ts';
import type {
  CompactionPorts,
  CompactionRequest,
  CompactionWork,
} from '../../../src/compaction/service/compact.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { messagesOf, transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { breakDownTokens } from '../../../src/insights/token-breakdown.ts';
import { EngineClient } from '../../../src/presenters/engine/engine-client.ts';
import { SessionEngine } from '../../../src/presenters/engine/session-engine.ts';
import { type Trial, tryStrategies } from '../../../src/presenters/inspector/what-if-trial.ts';
import type { StrategyOutcome } from '../../../src/insights/what-if.ts';
import { buildEngine, type EngineScripts } from '../../support/engine-script.ts';
import { createMeter, SummaryModelDouble } from '../../support/engine.ts';
import { sessionStories, tell } from '../../support/own-sessions.ts';
import { called, entriesOf, result, said, system, textOfTokens, typed } from '../../support/messages.ts';

let scripts: EngineScripts;
beforeAll(async () => void (scripts = await buildEngine()), 60_000);
afterAll(() => scripts.remove());

/** More entries than are copied at once. */
const transcript = transcriptOf(
  entriesOf([
    system('s', 'rules'),
    typed('u', 'find it'),
    ...Array.from({ length: 60 }, (_, step) => [
      called(`a${step}`, [`c${step}`, 'read_file', { path: `src/f${step}.ts` }]),
      result(`r${step}`, `c${step}`, `${textOfTokens(200)} f${step}`),
    ]).flat(),
    said('end', 'found'),
    typed('v', 'and now?'),
  ]),
);

function trialOf(...ids: readonly StrategyId[]): Trial {
  return {
    candidates: ids.map((strategy) => ({
      strategy,
      options: resolveOptions(strategyOf(strategy).options, {}).options,
    })),
    tools: [],
    budget: createBudget({ window: 12_000, triggerRatio: 0.85, targetRatio: 0.5 }),
    protectFirst: true,
    focus: undefined,
    hasStandInModel: true,
    recordPrefix: 't',
  };
}

describe('trying strategies on a separate thread', () => {
  let engine: EngineClient;
  let outcomes: StrategyOutcome[];
  let stop: AbortController;
  afterEach(() => engine.dispose());
  beforeEach(() => {
    outcomes = [];
    stop = new AbortController();
    engine = new EngineClient(scripts.engine, () => {});
  });

  const tellProgress = (_running: string | undefined, done: readonly StrategyOutcome[]) =>
    void outcomes.push(...done);
  const tryThem = (trial: Trial, customStrategy?: () => Promise<CustomStrategy>) =>
    new SessionEngine(engine, 's1').tryStrategies(
      { transcript, meter: engine.meterOf('o200k_base') },
      trial,
      customStrategy,
      tellProgress,
      stop.signal,
    );
  /** The parts of a result that do not depend on time. */
  const lasting = ({ record, ...rest }: StrategyOutcome) => {
    const { createdAt: _createdAt, durationMs: _durationMs, outputs, ...fixed } = record;
    return { ...rest, ...fixed, outputs: outputs.map(({ createdAt: _at, ...output }) => output) };
  };
  const customRecord = (): CompactionRecord => outcomes[0]!.record;

  it('gives the same result as on this thread for every strategy', async () => {
    const trial = trialOf(...strategyIds.filter((id) => id !== 'custom'));
    await tryThem(trial);
    const here: StrategyOutcome[] = [];
    const meter = await createMeter();
    await tryStrategies(
      trial,
      transcript,
      { meter, now: () => 0 },
      (_running, done) => void here.push(...done),
      stop.signal,
    );
    expect(outcomes.map(lasting)).toEqual(here.map(lasting));
  });

  it('runs a custom strategy on this thread, with the ports of the other thread', async () => {
    const seen: unknown[] = [];
    // Enough that the rest fits into the window.
    const ids = Array.from({ length: 10 }, (_, step) => [`a${step}`, `r${step}`]).flat();
    await tryThem(trialOf('custom'), () =>
      Promise.resolve({
        name: './mine.mjs#Mine',
        async plan(input, { meter, model, originals }) {
          seen.push(input.view.length, originals.length, await meter.count(['one two']));
          const text = await model!.summarise(ids);
          const actions = [{ kind: 'summarise', ids, text, reason: 'old' }];
          return { kind: 'plan', plan: { actions } };
        },
      }),
    );
    expect(seen).toEqual([transcript.view.length, transcript.view.length, [2]]);
    expect(customRecord()).toMatchObject({ status: 'applied', summary: { model: 'offline' } });
  });

  it.each([
    [
      'is missing',
      () => Promise.reject(new CompactionFailure('custom-missing', 'no module')),
      'custom-missing',
    ],
    [
      'fails',
      () => Promise.resolve({ name: 'x', plan: () => Promise.reject(new Error('oops')) }),
      'custom-failed',
    ],
    [
      'does not return plain data',
      () => Promise.resolve({ name: 'x', plan: () => Promise.resolve(() => 1) }),
      'custom-failed',
    ],
  ])('records that a custom strategy %s', async (_what, customStrategy, code) => {
    await tryThem(trialOf('custom', 'none'), customStrategy);
    expect(customRecord()).toMatchObject({ status: 'failed', reason: { code } });
    expect(outcomes.map(({ strategy }) => strategy)).toEqual(['custom', 'none']);
  });

  it('can be stopped while a strategy runs, and keeps finished results', async () => {
    const trying = tryThem(trialOf('none', 'custom'), () =>
      Promise.resolve({
        name: 'x',
        plan: () => {
          stop.abort();
          return new Promise(() => {});
        },
      }),
    );
    await expect(trying).rejects.toThrow('Cancelled.');
    expect(outcomes.map(({ strategy }) => strategy)).toEqual(['none']);
  });

  it('does not start if it was already stopped', async () => {
    stop.abort();
    await expect(tryThem(trialOf('none'))).rejects.toThrow('Cancelled.');
    expect(outcomes).toEqual([]);
  });

  it('continues with the remaining strategies after the thread has died', async () => {
    await engine.dispose();
    const script = await scripts.dyingOnce('trying', 6);
    engine = new EngineClient(script, () => {});
    const ids = strategyIds.filter((id) => id !== 'custom');
    await tryThem(trialOf(...ids));
    expect(outcomes.map(({ strategy }) => strategy)).toEqual(ids);
  });
});

describe('compacting on a separate thread', () => {
  let engine: EngineClient;
  beforeAll(() => void (engine = new EngineClient(scripts.engine, () => {})));
  afterAll(() => engine.dispose());

  const requestOf = (id: StrategyId): CompactionRequest => {
    const strategy = strategyOf(id);
    return {
      view: transcript.view,
      history: messagesOf(transcript),
      tools: [],
      pins: transcript.pins,
      protectFirst: true,
      trigger: { source: 'manual', requirement: 'soft', tokens: 13_000 },
      budget: createBudget({ window: 12_000, triggerRatio: 0.85, targetRatio: 0.5 }),
      target: 6_000,
      strategy,
      options: resolveOptions(strategy.options, {}).options,
    };
  };
  const noLimit: Allowance = { mayAsk: () => true, left: () => ({}), spent: () => {} };
  const portsWith = (meter: UsageMeter): CompactionPorts => {
    let records = 0;
    return {
      meter,
      model: () => new OfflineModel({ window: 12_000 }),
      clock: { now: () => 0 },
      nextRecordId: () => `c${++records}`,
    };
  };
  const work = (request: CompactionRequest, signal: AbortSignal): CompactionWork => ({
    request,
    transcript,
    ports: portsWith(engine.meterOf('o200k_base')),
    allowance: noLimit,
    signal,
  });
  const never = new AbortController().signal;
  /** The parts of a record that do not depend on time. */
  const lasting = ({ createdAt: _at, durationMs: _ms, outputs, ...fixed }: CompactionRecord) => ({
    ...fixed,
    outputs: outputs.map(({ createdAt: _createdAt, ...output }) => output),
  });

  it.each(strategyIds.filter((id) => id !== 'custom'))(
    'has the same result as on this thread: %s',
    async (id) => {
      const request = requestOf(id);
      const there = await new SessionEngine(engine, 's1').compact(work(request, never));
      const here = await compactBilled(request, portsWith(await createMeter()), noLimit, never);
      expect(there?.map(lasting)).toEqual(here.map(lasting));
    },
  );

  it('asks a model of the host, and records the spending', async () => {
    const spent: ModelUse[] = [];
    const model = new SummaryModelDouble('A summary.');
    const request = requestOf('llm-summary');
    const whole = work(request, never);
    const records = await new SessionEngine(engine, 's1').compact({
      ...whole,
      ports: { ...whole.ports, model: () => model },
      allowance: { ...noLimit, spent: (use) => void spent.push(use) },
    });
    expect(spent.reduce((sum, { requests }) => sum + requests, 0)).toBe(records?.at(-1)?.modelUse?.requests);
    expect(spent).not.toEqual([]);
  });

  it('is cancelled by its signal', async () => {
    const stop = new AbortController();
    const model = new SummaryModelDouble(() => {
      stop.abort();
      return new Error('The connection was closed.');
    });
    const whole = work(requestOf('llm-summary'), stop.signal);
    const records = await new SessionEngine(engine, 's1').compact({
      ...whole,
      ports: { ...whole.ports, model: () => model },
    });
    expect(records?.at(-1)?.status).toBe('cancelled');
    expect(model.requests).toHaveLength(1);
  });

  it('runs custom and changed strategies on the host', () => {
    const changed: CompactionRequest = { ...requestOf('ladder'), strategy: { ...strategyOf('ladder') } };
    const sessions = new SessionEngine(engine, 's1');
    expect(sessions.compact(work(changed, never))).toBeUndefined();
    expect(sessions.compact(work(requestOf('custom'), never))).toBeUndefined();
  });
});

describe('the copy of a session on the other thread', () => {
  let engine: EngineClient;
  beforeAll(() => void (engine = new EngineClient(scripts.engine, () => {})));
  afterAll(() => engine.dispose());

  it('equals the session at all times, for changes in any order', async () => {
    const meter = engine.meterOf('o200k_base');
    const here = await createMeter();
    let told = 0;
    await fc.assert(
      fc.asyncProperty(sessionStories, async (story) => {
        const { entries } = await tell(story, here);
        const sessions = new SessionEngine(engine, `told ${told++}`);
        // Forwards and backwards, because an older moment may be requested after a newer one.
        for (const length of [1, entries.length, Math.ceil(entries.length / 2)]) {
          const moment = transcriptOf(entries.slice(0, length));
          const held = { tools: [], protectFirst: true };
          const { view, pins } = moment;
          expect(await sessions.breakDown(moment, meter, held, 10)).toEqual(
            await breakDownTokens({ ...held, view, pins }, here, 10),
          );
        }
      }),
      { numRuns: 20 },
    );
  });

  it('is replaced if another session has the same id', async () => {
    const meter = engine.meterOf('o200k_base');
    const sessions = new SessionEngine(engine, 'live');
    const find = async (text: string) => {
      const said = transcriptOf(entriesOf([typed('m1', text)]));
      return (await sessions.ledger(meter).search({ transcript: said }, meter, 'otter', 5)).hits.length;
    };
    expect([await find('an otter'), await find('a heron'), await find('the otter')]).toEqual([1, 0, 1]);
  });
});
