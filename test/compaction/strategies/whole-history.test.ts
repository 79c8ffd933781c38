import { describe, expect, it } from 'vitest';
import { repairPairs } from '../../../src/compaction/messages/exchange.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { wholeHistory } from '../../../src/compaction/strategies/whole-history.ts';
import { applyRecord } from '../../../src/compaction/transcript/view.ts';
import { describeContract } from '../../contract/any-history.ts';
import { createMeter, runCompaction, SummaryModelDouble, type Run } from '../../support/engine.ts';
import { called, memory, result, said, system, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

const long = textOfTokens(300);

describe('whole-history', () => {
  const run = async (view: readonly Message[], more: Partial<Run> = {}) => {
    const model = new SummaryModelDouble('<summary>all of it</summary>');
    return (await runCompaction({ view, strategy: wholeHistory, model, ...more }, meter))[0]!;
  };
  const after = async (view: readonly Message[], options: Readonly<Record<string, unknown>> = {}) =>
    applyRecord(view, await run(view, { options })).map(({ id }) => id);

  it('replaces everything except the system message and the request with one summary', async () => {
    const view = [system('m1', 'rules'), typed('m2', 'the task'), said('m3', long)];
    expect(await after(view)).toEqual(['m1', 'm2', 'c1.1']);
  });

  it('keeps the first and the newest request in place', async () => {
    const view = [
      typed('m1', 'the task'),
      system('m2', 'rules'),
      said('m3', long),
      typed('m4', long),
      called('m5', ['a', 'x']),
      result('m6', 'a', long),
      typed('m7', 'and now this'),
      called('m8', ['b', 'x']),
      result('m9', 'b', long),
    ];
    expect(await after(view)).toEqual(['m1', 'm2', 'm7', 'c1.1']);
  });

  it('keeps the last calls if they have no results', async () => {
    const view = repairPairs([typed('m1', 'the task'), said('m2', long), called('m3', ['a', 'x'])]);
    expect(await after(view)).toEqual(['m1', 'c1.1', 'm3', 'm3.1']);
  });

  it('recognises memory by its kind, not by its words', async () => {
    const quoting = said('m3', `Here are the relevant facts from memory: ${long}`);
    const view = [typed('m1', 'the task'), memory('m2', 'the house style'), quoting];
    expect(await after(view)).toEqual(['m1', 'm2', 'c1.1']);
  });

  it('summarises memory unless the option preserves it', async () => {
    const view = [typed('m1', 'the task'), memory('m2', 'the house style'), said('m3', long)];
    const read = async (preserveMemory: boolean) => {
      const model = new SummaryModelDouble('all of it');
      const record = await run(view, { options: { preserveMemory }, model });
      return [applyRecord(view, record), model.requests[0]?.sources].map((messages = []) =>
        messages.map(({ id }) => id),
      );
    };
    expect(await read(true)).toEqual([['m1', 'm2', 'c1.1'], ['m3']]);
    expect(await read(false)).toEqual([
      ['m1', 'c1.1'],
      ['m2', 'm3'],
    ]);
  });

  it('writes one summary for each part of the history that begins with a system message', async () => {
    const view = [
      said('m1', long),
      system('m2', 'rules'),
      typed('m3', 'one'),
      said('m4', long),
      system('m5', 'more rules'),
      typed('m6', 'two'),
      typed('m7', long),
      said('m8', long),
      system('m9', 'last rules'),
      said('m10', long),
      typed('m11', 'three'),
    ];
    expect(await after(view, { perSystemBlock: true })).toEqual([
      'm2',
      'm3',
      'c1.1',
      'm5',
      'm6',
      'c1.2',
      'm9',
      'c1.3',
      'm11',
    ]);
  });

  it('leaves a part that is smaller than its summary unchanged', async () => {
    const view = [
      system('m1', 'rules'),
      typed('m2', 'one'),
      said('m3', 'yes'),
      system('m4', 'more rules'),
      typed('m5', 'two'),
      said('m6', long),
    ];
    const record = await run(view, { options: { perSystemBlock: true } });
    expect(applyRecord(view, record).map(({ id }) => id)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'c1.1']);
    expect(record.warnings).toEqual(['1 part was smaller than the summary and stayed unchanged.']);
  });

  it('removes the first request if a hard target cannot be reached otherwise', async () => {
    const view = [typed('m1', long), said('m2', long), typed('m3', 'newest')];
    const record = await run(view, { requirement: 'hard', target: 250 });
    expect(applyRecord(view, record).map(({ id }) => id)).toEqual(['c1.1', 'm3']);
  });

  describeContract(wholeHistory, { perSystemBlock: true, preserveMemory: false }, 50);
});
