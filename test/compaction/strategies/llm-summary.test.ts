import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { llmSummary } from '../../../src/compaction/strategies/llm-summary.ts';
import { applyRecord } from '../../../src/compaction/transcript/view.ts';
import { createMeter, runCompaction, SummaryModelDouble } from '../../support/engine.ts';
import {
  called,
  memory,
  reminder,
  result,
  said,
  system,
  textOfTokens,
  typed,
} from '../../support/messages.ts';

const meter = await createMeter();

const long = textOfTokens(300);

describe('llm-summary', () => {
  const run = async (
    view: readonly Message[],
    options: Readonly<Record<string, unknown>> = {},
    model = new SummaryModelDouble('<summary>notes</summary>'),
  ) => (await runCompaction({ view, strategy: llmSummary, options, model }, meter))[0]!;
  const after = async (view: readonly Message[], options: Readonly<Record<string, unknown>> = {}) =>
    applyRecord(view, await run(view, options)).map(({ id }) => id);

  it('summarises everything before the last two messages of user and model', async () => {
    const view = [typed('m1', long), said('m2', long), typed('m3', 'newest'), said('m4', 'answer')];
    expect(await after(view)).toEqual(['c1.1', 'm3', 'm4']);
  });

  it('keeps system messages, memory and the newest typed message before a long tool loop', async () => {
    const view = [
      system('m1', 'rules'),
      memory('m2', 'the house style'),
      typed('m3', long),
      said('m4', long),
      typed('m5', 'the task'),
      called('m6', ['a', 'x']),
      result('m7', 'a', long),
      called('m8', ['b', 'x']),
      result('m9', 'b', 'b'),
      called('m10', ['c', 'x']),
      result('m11', 'c', 'c'),
    ];
    expect(await after(view)).toEqual(['m1', 'm2', 'm5', 'c1.1', 'm8', 'm9', 'm10', 'm11']);
  });

  it('does not count reminders among the last two messages', async () => {
    const view = [typed('m1', long), said('m2', 'kept'), reminder('m3', 'be quick'), typed('m4', 'kept')];
    expect(await after(view)).toEqual(['c1.1', 'm2', 'm3', 'm4']);
  });

  it('never keeps only part of an exchange', async () => {
    const view = [
      typed('m1', long),
      called('m2', ['a', 'x'], ['b', 'x']),
      result('m3', 'a', 'a'),
      result('m4', 'b', 'b'),
      said('m5', 'done'),
    ];
    expect(await after(view, { preserveMessages: 2 })).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
    expect(await after([typed('m0', long), ...view], { preserveMessages: 2 })).toEqual([
      'c1.1',
      'm1',
      'm2',
      'm3',
      'm4',
      'm5',
    ]);
  });

  it('has nothing to do if only an earlier summary could be summarised', async () => {
    const view = [typed('m1', long), said('m2', long), typed('m3', 'newest'), said('m4', 'answer')];
    const compacted = applyRecord(view, await run(view));
    expect((await run(compacted)).status).toBe('unchanged');
  });

  it('marks an earlier summary in the text for the model', async () => {
    const model = new SummaryModelDouble('<summary>new notes</summary>');
    const view: readonly Message[] = [
      { ...typed('c0.1', 'old notes'), origin: 'strategy', kind: 'summary' },
      said('m2', long),
      typed('m3', 'newest'),
      said('m4', 'answer'),
    ];
    await run(view, {}, model);
    expect(model.requests[0]?.prompt).toContain('<earlier_summary id="1">\nold notes');
  });

  it.each([
    ['empty', '', 'summary-empty'],
    ['larger than the messages it replaces', textOfTokens(5_000), 'summary-inflated'],
  ])('is refused, with an unchanged view, if the summary is %s', async (_name, reply, code) => {
    const view = [typed('m1', long), said('m2', long), typed('m3', 'newest'), said('m4', 'answer')];
    const record = await run(view, {}, new SummaryModelDouble(reply));
    expect(record).toMatchObject({ status: 'refused', reason: { code }, actions: [], outputs: [] });
    expect(record.after).toEqual(record.before);
  });

  it('fails with a reason if the model cannot be reached', async () => {
    const view = [typed('m1', long), said('m2', long), typed('m3', 'newest')];
    const record = await run(view, {}, new SummaryModelDouble(() => new Error('connection refused')));
    expect(record).toMatchObject({ status: 'failed', reason: { code: 'model-failed' } });
  });

  it('passes the focus of the settings and of the request to the model', async () => {
    const model = new SummaryModelDouble('notes');
    const view = [typed('m1', long), said('m2', long), typed('m3', 'newest')];
    const options = { focus: 'file names' };
    await runCompaction({ view, strategy: llmSummary, options, focus: 'the lock', model }, meter);
    expect(model.requests[0]?.prompt).toContain('file names\nthe lock');
  });
});
