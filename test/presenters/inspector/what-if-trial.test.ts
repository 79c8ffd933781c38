import { defaultImageRule } from '../../../src/compaction/images/image-tokens.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { CompactionFailure } from '../../../src/compaction/records/reason.ts';
import type { CustomStrategy } from '../../../src/compaction/strategies/contract/custom-strategy.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import { strategyIds, strategyOf, type StrategyId } from '../../../src/compaction/strategies/index.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import { transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { type Trial, tryOnThread, tryStrategies } from '../../../src/presenters/inspector/what-if-trial.ts';
import type { Outcome } from '../../../src/insights/what-if.ts';
import { createMeter } from '../../support/engine.ts';
import { called, entriesOf, result, said, system, textOfTokens, typed } from '../../support/messages.ts';

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
    encoding: 'o200k_base',
    imageRule: defaultImageRule,
    recordPrefix: 't',
  };
}

describe('trying strategies on a thread of its own', () => {
  let folder: string;
  let script: string;
  let outcomes: Outcome[];
  let stop: AbortController;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'what-if-'));
    script = join(folder, 'what-if-worker.mjs');
    await build({
      entryPoints: ['src/presenters/inspector/what-if-worker.ts'],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
    });
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true }));
  beforeEach(() => {
    outcomes = [];
    stop = new AbortController();
  });

  const tellProgress = (_running: string | undefined, done: readonly Outcome[]) =>
    void outcomes.push(...done);
  const tryThem = (trial: Trial, customStrategy?: () => Promise<CustomStrategy>) =>
    tryOnThread(script, trial, transcript, customStrategy, tellProgress, stop.signal);
  /** The parts of a result that do not depend on time. */
  const lasting = ({ record, ...rest }: Outcome) => {
    const { createdAt: _createdAt, durationMs: _durationMs, outputs, ...fixed } = record;
    return { ...rest, ...fixed, outputs: outputs.map(({ createdAt: _at, ...output }) => output) };
  };
  const customRecord = (): CompactionRecord => outcomes[0]!.record;

  it('gives the same result as trying them here, with every strategy', async () => {
    const trial = trialOf(...strategyIds.filter((id) => id !== 'custom'));
    await tryThem(trial);
    const here: Outcome[] = [];
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

  it('lets the strategy of somebody else run where it is, with ports that reach the thread', async () => {
    const seen: unknown[] = [];
    // So many that what is left fits into the window.
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
      'is not there',
      () => Promise.reject(new CompactionFailure('custom-missing', 'no module')),
      'custom-missing',
    ],
    [
      'fails',
      () => Promise.resolve({ name: 'x', plan: () => Promise.reject(new Error('oops')) }),
      'custom-failed',
    ],
    [
      'answers no plain data',
      () => Promise.resolve({ name: 'x', plan: () => Promise.resolve(() => 1) }),
      'custom-failed',
    ],
  ])(
    'has a record that says so where the strategy of somebody else %s',
    async (_what, customStrategy, code) => {
      await tryThem(trialOf('custom', 'none'), customStrategy);
      expect(customRecord()).toMatchObject({ status: 'failed', reason: { code } });
      expect(outcomes.map(({ strategy }) => strategy)).toEqual(['custom', 'none']);
    },
  );

  it('is stopped in the middle of a strategy, and keeps what was done', async () => {
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

  it('does not start where it was stopped before', async () => {
    stop.abort();
    await expect(tryThem(trialOf('none'))).rejects.toThrow('Cancelled.');
    expect(outcomes).toEqual([]);
  });

  it('fails where the thread does', async () => {
    const trying = tryOnThread(
      join(folder, 'missing.mjs'),
      trialOf('none'),
      transcript,
      undefined,
      tellProgress,
      stop.signal,
    );
    await expect(trying).rejects.toThrow('missing.mjs');
  });
});
