import { beforeAll, describe, expect, it } from 'vitest';
import { createBudget } from '../../src/compaction/budget/budget.ts';
import type { Message } from '../../src/compaction/messages/message.ts';
import { llmSummary } from '../../src/compaction/strategies/llm-summary.ts';
import { none } from '../../src/compaction/strategies/none.ts';
import { providerNative } from '../../src/compaction/strategies/provider-native.ts';
import { resolveOptions } from '../../src/compaction/strategies/contract/options.ts';
import type { Strategy } from '../../src/compaction/strategies/contract/strategy.ts';
import { toolResultHiding } from '../../src/compaction/strategies/tool-result-hiding.ts';
import type { SummaryModel } from '../../src/compaction/summary/summary-model.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { append, transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { applicable, whatIf, type Progress, type WhatIf } from '../../src/insights/what-if.ts';
import { createMeter, SummaryModelDouble } from '../support/engine.ts';
import { deepFreeze } from '../support/histories.ts';
import { called, entriesOf, result, said, system, textOfTokens, typed } from '../support/messages.ts';

const messages: readonly Message[] = [
  system('s', 'rules'),
  typed('u', 'find it'),
  ...Array.from({ length: 20 }, (_, step): readonly Message[] => [
    called(`a${step}`, [`c${step}`, 'read_file', { path: `src/f${step}.ts` }]),
    result(`r${step}`, `c${step}`, textOfTokens(500)),
  ]).flat(),
  said('end', 'found'),
  typed('v', 'and now?'),
];
const transcript = deepFreeze(transcriptOf(entriesOf(messages)));
const summary = '<summary>\nThe files were read.\n</summary>';

describe('trying strategies', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });
  const run = (strategies: readonly Strategy[], part: Partial<WhatIf> = {}): WhatIf => ({
    transcript,
    tools: [],
    budget: createBudget({ window: 16_000, triggerRatio: 0.85, targetRatio: 0.5 }),
    protectFirst: true,
    candidates: strategies.map((strategy) => ({
      strategy,
      options: resolveOptions(strategy.options, {}).options,
    })),
    ...part,
  });
  const ports = (model?: SummaryModel, hasStandInModels = true) => {
    let records = 0;
    return {
      meter,
      model: () => model,
      clock: { now: () => 0 },
      nextRecordId: () => `try-${++records}`,
      hasStandInModels,
      pause: () => Promise.resolve(),
    };
  };
  const never = () => new AbortController().signal;
  const attempt = async (strategy: Strategy, model?: SummaryModel, hasStandInModels = true) => {
    const outcomes = await whatIf(run([strategy]), ports(model, hasStandInModels), () => {}, never());
    return outcomes[0]!;
  };

  it('reports the result of each strategy, and leaves the session unchanged', async () => {
    const outcomes = await whatIf(run([none, toolResultHiding]), ports(), () => {}, never());
    expect(outcomes.map(({ strategy, record }) => [strategy, record.status])).toEqual([
      ['none', 'unchanged'],
      ['tool-result-hiding', 'applied'],
    ]);
    const saved = outcomes.map(({ record: { before, after } }) => before.tokens - after.tokens);
    expect(saved[0]).toBe(0);
    expect(saved[1]).toBeGreaterThan(5_000);
  });

  it('marks a size as an estimate if another model wrote the summary', async () => {
    const outcome = await attempt(llmSummary, new SummaryModelDouble(summary));
    expect(outcome).toMatchObject({ modelCalls: 1, isEstimate: true, record: { status: 'applied' } });
  });

  it("does not mark a size as an estimate if the chat's own model or no model was used", async () => {
    expect((await attempt(llmSummary, new SummaryModelDouble(summary), false)).isEstimate).toBe(false);
    expect((await attempt(toolResultHiding, new SummaryModelDouble(summary))).isEstimate).toBe(false);
  });

  it('reports that a strategy cannot run, and does not run another in its place', async () => {
    const outcome = await attempt(providerNative, new SummaryModelDouble(summary));
    expect(outcome).toMatchObject({ modelCalls: 0, isEstimate: false });
    const { status, actualStrategy, reason, before, after } = outcome.record;
    expect({ status, actualStrategy, code: reason?.code, after }).toEqual({
      status: 'failed',
      actualStrategy: 'provider-native',
      code: 'no-native-compaction',
      after: before,
    });
  });

  it('keeps pinned messages', async () => {
    const pinned = append(transcript, { type: 'pin', createdAt: '', messageIds: ['r0'], pinned: true });
    const [outcome] = await whatIf(
      run([toolResultHiding], { transcript: pinned }),
      ports(),
      () => {},
      never(),
    );
    const touched = outcome!.record.actions.filter(({ kind }) => kind !== 'keep').flatMap((a) => a.sourceIds);
    expect(touched).toContain('r1');
    expect(touched).not.toContain('r0');
  });

  it('reports which strategies are running and finished', async () => {
    const told: Progress[] = [];
    await whatIf(run([none, toolResultHiding]), ports(), (progress) => told.push(progress), never());
    expect(told.map(({ done, total, running, outcomes }) => [done, total, running, outcomes.length])).toEqual(
      [
        [0, 2, 'none', 0],
        [1, 2, 'tool-result-hiding', 1],
        [2, 2, undefined, 2],
      ],
    );
  });

  it('can be stopped between two strategies, and keeps finished outcomes', async () => {
    const stop = new AbortController();
    const outcomes = await whatIf(
      run([none, toolResultHiding]),
      ports(),
      ({ done }) => {
        if (done === 1) stop.abort();
      },
      stop.signal,
    );
    expect(outcomes.map(({ strategy }) => strategy)).toEqual(['none']);
  });

  it('can be stopped while a strategy waits for a model', async () => {
    const stop = new AbortController();
    const hanging: SummaryModel = {
      id: 'hanging',
      window: undefined,
      summarise: () => {
        stop.abort();
        return new Promise(() => {});
      },
    };
    expect(await whatIf(run([llmSummary]), ports(hanging), () => {}, stop.signal)).toEqual([]);
  });

  it('allows an outcome to be applied if the view has not changed, or has only grown', async () => {
    const outcome = await attempt(toolResultHiding);
    const grown = append(transcript, { type: 'message', message: said('w', 'more') });
    expect(applicable(outcome, transcript, grown)).toBe(outcome.record);
    const compacted = append(transcript, { type: 'compaction', record: outcome.record });
    expect(applicable(outcome, transcript, compacted)).toBeUndefined();
    expect(applicable(await attempt(none), transcript, transcript)).toBeUndefined();
  });
});
