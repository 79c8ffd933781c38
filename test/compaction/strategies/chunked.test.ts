import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { chunked } from '../../../src/compaction/strategies/chunked.ts';
import { applyRecord } from '../../../src/compaction/transcript/view.ts';
import { describeContract } from '../../contract/any-history.ts';
import { createMeter, runCompaction, SummaryModelDouble, type Run } from '../../support/engine.ts';
import { called, result, said, system, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

const long = textOfTokens(300);

describe('chunked', () => {
  const notes = () => {
    let count = 0;
    return new SummaryModelDouble(() => ({ content: `notes ${++count}`, finishReason: 'stop' }));
  };
  const run = async (view: readonly Message[], size: number, more: Partial<Run> = {}) =>
    (await runCompaction({ view, strategy: chunked, options: { size }, model: notes(), ...more }, meter))[0]!;
  const after = async (view: readonly Message[], size: number, more: Partial<Run> = {}) =>
    applyRecord(view, await run(view, size, more)).map(({ id }) => id);

  const talk = [
    system('m0', 'rules'),
    typed('m1', 'the task'),
    said('m2', long),
    said('m3', long),
    typed('m4', long),
    said('m5', long),
    said('m6', long),
    typed('m7', 'newest'),
    said('m8', 'answer'),
  ];

  it('writes one summary per chunk, in order, and keeps the newest turn', async () => {
    expect(await after(talk, 2)).toEqual(['m0', 'm1', 'c1.1', 'c1.2', 'c1.3', 'm7', 'm8']);
    const record = await run(talk, 2);
    expect(record.outputs.map(({ content }) => /notes \d/u.exec(content as string)?.[0])).toEqual([
      'notes 1',
      'notes 2',
      'notes 3',
    ]);
    expect(record.summary?.attempts).toBe(3);
  });

  it('never splits an exchange between two chunks', async () => {
    const view = [
      typed('m1', 'the task'),
      said('m2', long),
      called('m3', ['a', 'x'], ['b', 'x']),
      result('m4', 'a', long),
      result('m5', 'b', long),
      typed('m6', 'newest'),
    ];
    const record = await run(view, 2);
    const chunks = record.actions.filter(({ kind }) => kind === 'summarise');
    expect(chunks.map(({ sourceIds }) => sourceIds)).toEqual([['m2'], ['m3', 'm4', 'm5']]);
  });

  it('keeps at most the size of one chunk of a long turn', async () => {
    const view = [typed('m1', 'the task'), ...Array.from({ length: 6 }, (_, step) => said(`s${step}`, long))];
    expect(await after(view, 2)).toEqual(['m1', 'c1.1', 'c1.2', 's4', 's5']);
  });

  it('keeps less of the newest turn for a hard target', async () => {
    const view = [typed('m1', 'the task'), said('m2', long), said('m3', long), said('m4', 'done')];
    expect(await after(view, 3, { requirement: 'hard', target: 300 })).toEqual(['m1', 'c1.1', 'm4']);
  });

  it('leaves the summaries of earlier chunks unchanged', async () => {
    const first = applyRecord(talk, await run(talk, 2)).map((message) => ({
      ...message,
      id: `earlier ${message.id}`,
    }));
    expect((await run(first, 2)).status).toBe('unchanged');
    const grown = [...first, said('m9', long), said('m10', long), typed('m11', 'newer still')];
    const chunks = (await run(grown, 2)).actions.filter(({ kind }) => kind === 'summarise');
    expect(chunks.map(({ sourceIds }) => sourceIds)).toEqual([['m9', 'm10']]);
  });

  it('fails as a whole if one summary fails', async () => {
    let count = 0;
    const model = new SummaryModelDouble(() =>
      ++count === 2 ? new Error('503') : { content: 'notes', finishReason: 'stop' },
    );
    const record = await run(talk, 2, { model });
    expect(record).toMatchObject({ status: 'failed', reason: { code: 'model-failed' }, actions: [] });
  });

  describeContract(chunked, { size: 3 });
});
