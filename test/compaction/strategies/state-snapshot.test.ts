import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairPairs } from '../../../src/compaction/messages/exchange.ts';
import { textOf, type Message } from '../../../src/compaction/messages/message.ts';
import { noSession } from '../../../src/compaction/quoting/session-tags.ts';
import { stateSnapshot } from '../../../src/compaction/strategies/state-snapshot.ts';
import { applyRecord } from '../../../src/compaction/transcript/view.ts';
import { describeContract } from '../../contract/any-history.ts';
import { expectToSettle } from '../../contract/contract.ts';
import { createMeter, runCompaction, SummaryModelDouble, type Run } from '../../support/engine.ts';
import { deepFreeze, histories } from '../../support/histories.ts';
import { called, result, said, system, textOfTokens, typed } from '../../support/messages.ts';
import { soak } from '../../support/soak.ts';

const meter = await createMeter();

const long = textOfTokens(300);
const snapshot = (text: string) => `<scratchpad>secret</scratchpad><state_snapshot>${text}</state_snapshot>`;

const talk = [
  system('m0', 'rules'),
  typed('m1', 'first task'),
  said('m2', long),
  typed('m3', 'second task'),
  said('m4', long),
  typed('m5', 'third task'),
  said('m6', long),
  typed('m7', 'newest task'),
  said('m8', long),
];

describe('state-snapshot', () => {
  const run = async (view: readonly Message[], more: Partial<Run> = {}) => {
    const model = new SummaryModelDouble(snapshot('where we are'));
    return (await runCompaction({ view, strategy: stateSnapshot, model, ...more }, meter))[0]!;
  };
  const after = async (view: readonly Message[], more: Partial<Run> = {}) =>
    applyRecord(view, await run(view, more)).map(({ id }) => id);
  const textAfter = async (view: readonly Message[], more: Partial<Run> = {}) =>
    (await run(view, more)).outputs.map(({ content }) => textOf(content)).join('\n');
  /** The view for a second compaction. Messages written by the first get other ids. */
  const renamed = (view: readonly Message[]) =>
    view.map((message) => ({ ...message, id: message.id.replace(/^c/u, 'earlier ') }));

  it("continues from another agent's snapshot", async () => {
    const left = typed('s1', '<state_snapshot>\n<overall_goal>locks</overall_goal>\n</state_snapshot>');
    const model = new SummaryModelDouble(snapshot('where we are'));
    await run([talk[0]!, left, ...talk.slice(1)], { model });
    expect(model.requests[0]?.prompt).toMatch(/Bring the newest earlier state_snapshot up to date/);
  });

  it('keeps the newest share of the conversation, beginning at the start of a turn', async () => {
    expect(await after(talk)).toEqual(['m0', 'c1.1', 'm7', 'm8']);
    expect(await after(talk, { options: { preserveRatio: 0.6 } })).toEqual([
      'm0',
      'c1.1',
      'm5',
      'm6',
      'm7',
      'm8',
    ]);
  });

  it('keeps the newest exchanges of a turn that is larger than the share', async () => {
    const steps = Array.from({ length: 5 }, (_, step) => [
      called(`c${step}`, ['call', 'run']),
      result(`r${step}`, 'call', long),
    ]).flat();
    expect(await after([typed('m1', 'the task'), ...steps])).toEqual(['m1', 'c1.1', 'c4', 'r4']);
  });

  it('never reveals the scratchpad', async () => {
    expect(await textAfter(talk)).not.toContain('secret');
    const model = new SummaryModelDouble('<scratchpad>secret <state_snapshot>half</state_snapshot>');
    expect(await run(talk, { model })).toMatchObject({
      status: 'refused',
      reason: { code: 'summary-reasoning-only' },
    });
  });

  it.each([
    ['has no tag', 'a fine summary'],
    ['does not close its tag', '<state_snapshot>and then'],
  ])('refuses a snapshot that %s', async (_name, reply) => {
    const record = await run(talk, { model: new SummaryModelDouble(reply) });
    expect(record).toMatchObject({ status: 'refused', reason: { code: 'summary-unclosed' } });
  });

  it('asks the model to update an earlier snapshot', async () => {
    const first = renamed(applyRecord(talk, await run(talk)));
    const grown = [...first, typed('m9', 'now this'), said('m10', long), said('m11', long)];
    const model = new SummaryModelDouble(snapshot('further on'));
    const record = await run(grown, { model });
    expect(model.requests[0]?.prompt).toContain('Bring the newest earlier state_snapshot up to date');
    expect(record.actions.find(({ kind }) => kind === 'summarise')?.sourceIds).toContain('earlier 1.1');
    expect(record.outputs).toHaveLength(1);
  });

  it('has nothing to do without new messages', async () => {
    const first = renamed(applyRecord(talk, await run(talk)));
    expect((await run(first)).status).toBe('unchanged');
  });

  it('records the size of the whole view before and after', async () => {
    const record = await run(talk);
    expect(record.before.tokens).toBe((await meter.measure(talk)).total);
    expect(record.after.tokens).toBe((await meter.measure(applyRecord(talk, record))).total);
  });

  describe('tool output', () => {
    const view = [
      said('m0', textOfTokens(900)),
      typed('m1', 'look around'),
      called('c1', ['a', 'run']),
      result('r1', 'a', textOfTokens(900)),
      called('c2', ['b', 'run']),
      result('r2', 'b', textOfTokens(900)),
      said('m2', 'done'),
    ];
    const options = { toolBudget: 1_000, preserveRatio: 0.9 };

    it('is kept within its budget, newest first, and otherwise replaced with references', async () => {
      const kept = applyRecord(view, await run(view, { options }));
      const older = textOf(kept.find(({ id }) => id === 'r1')?.content ?? null);
      expect(older).toContain('recall("r1")');
      expect(kept).toContain(view[5]);
    });

    it('is shown to the model in its original form', async () => {
      const model = new SummaryModelDouble(snapshot('where we are'));
      await run(view, { options: { ...options, preserveRatio: 0.3 }, model });
      expect(model.requests[0]?.sources).toContain(view[3]);
    });
  });

  describe('the second request', () => {
    const view = [
      typed('m1', 'Never touch the vendor folder.'),
      called('c1', ['a', 'write_file', { path: 'src/lock.ts', content: long }]),
      result('r1', 'a', 'TypeError: lock is not a function'),
      said('m2', long),
      typed('m3', 'go on'),
      said('m4', 'ok'),
    ];
    const complete = 'Never touch the vendor folder. src/lock.ts TypeError: lock is not a function';
    const answering = (...answers: readonly string[]) => {
      const left = [...answers];
      return new SummaryModelDouble(() => ({
        content: snapshot(left.shift() ?? 'more'),
        finishReason: 'stop',
      }));
    };

    it('is made only if the snapshot lacks facts of the ledger', async () => {
      const model = answering(complete);
      await run(view, { model });
      expect(model.requests).toHaveLength(1);
    });

    it('names the missing facts', async () => {
      const model = answering('Never touch the vendor folder.', complete);
      const record = await run(view, { model });
      const missing = /<missing>\n(.*)\n<\/missing>/su.exec(model.requests[1]?.prompt ?? '')?.[1];
      expect(missing).toBe('- src/lock.ts\n- TypeError: lock is not a function');
      expect(record.summary?.attempts).toBe(2);
      expect(textOf(record.outputs[0]?.content ?? null)).toContain(complete);
    });

    it('is never made if it is switched off', async () => {
      const model = answering('nothing of it');
      await run(view, { model, options: { verify: 'never' } });
      expect(model.requests).toHaveLength(1);
    });

    it('leaves the first snapshot with a copy of the missing facts if it fails', async () => {
      let count = 0;
      const model = new SummaryModelDouble(() =>
        ++count === 1 ? { content: snapshot('a start'), finishReason: 'stop' } : new Error('503'),
      );
      const record = await run(view, { model });
      expect(record.status).toBe('applied');
      expect(record.warnings).toEqual(['The second request failed: The summarising model failed: 503']);
      const text = textOf(record.outputs[0]?.content ?? null);
      for (const part of ['a start', 'src/lock.ts', 'Never touch the vendor folder.']) {
        expect(text).toContain(part);
      }
    });
  });

  it('loses no fact over several snapshots, even if the model omits all facts', async () => {
    const silent = { model: new SummaryModelDouble(snapshot('nothing')), options: { verify: 'never' } };
    let view: readonly Message[] = [
      typed('m1', 'Never touch the vendor folder.'),
      called('c1', ['a', 'write_file', { path: 'src/lock.ts', content: long }]),
      result('r1', 'a', 'TypeError: lock is not a function'),
    ];
    for (const round of [1, 2, 3]) {
      view = [...view, typed(`t${round}`, 'go on'), said(`s${round}`, long), said(`e${round}`, 'ok')];
      view = applyRecord(view, await run(view, silent)).map((message) => ({
        ...message,
        id: message.id.replace(/^c1\.1$/u, `snapshot ${round}`),
      }));
    }
    expect(view.filter(({ kind }) => kind === 'summary')).toHaveLength(1);
    const text = view.map(({ content }) => textOf(content)).join('\n');
    for (const fact of [
      'src/lock.ts',
      'TypeError: lock is not a function',
      'Never touch the vendor folder.',
    ]) {
      expect(text).toContain(fact);
    }
  });

  describe('the plan', () => {
    const steps = { plan: [{ step: 'write the <lock>', status: 'open' }] };
    const planning = [called('p1', ['a', 'update_plan', steps]), result('p2', 'a', 'ok')];
    const carried = `<current_plan_${noSession} by="assistant">\n${JSON.stringify(steps)}\n</current_plan_${noSession}>`;
    const view = [typed('m1', 'begin'), ...planning, said('m2', long), ...talk.slice(5)];

    it('is copied word for word, even into the next snapshot', async () => {
      expect(await textAfter(view)).toContain(carried);
      const first = renamed(applyRecord(view, await run(view)));
      const grown = [...first, typed('m9', 'on'), said('m10', long), typed('m11', 'on'), said('m12', 'ok')];
      expect(await textAfter(grown)).toContain(carried);
    });

    it('is not copied if a newer plan stays in context', async () => {
      const newer = [called('p3', ['b', 'TodoWrite', { todos: [] }]), result('p4', 'b', 'ok')];
      expect(await textAfter([...view, ...newer])).not.toContain('<current_plan');
    });

    it('is not copied if the option is off', async () => {
      expect(await textAfter(view, { options: { preservePlan: false } })).not.toContain('<current_plan');
    });
  });

  it('reduces the context to a hard target', async () => {
    const view = Array.from({ length: 40 }, (_, step) => said(`s${step}`, long));
    const record = await run([typed('m1', 'the task'), ...view], { requirement: 'hard', target: 3_000 });
    expect(record).toMatchObject({ status: 'applied', actualStrategy: 'state-snapshot' });
    expect(record.after.tokens).toBeLessThanOrEqual(3_000);
  });

  it('has nothing more to do after at most two snapshots, for any history and target', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.integer({ min: 200, max: 5_000 }), async (history, target) => {
        const run: Run = {
          view: deepFreeze(repairPairs(history.messages)),
          pins: history.pins,
          strategy: stateSnapshot,
          options: { toolBudget: 500 },
          model: new SummaryModelDouble(snapshot('where we are')),
          target,
        };
        await expectToSettle(run, meter, 2);
      }),
      { numRuns: soak(40, 200) },
    );
  });

  describeContract(stateSnapshot, { toolBudget: 300, preserveRatio: 0.6 }, soak(20, 100));
});
