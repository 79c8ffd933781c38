import { describe, expect, it } from 'vitest';
import { lastResortId } from '../../../src/compaction/strategies/steps/last-resort.ts';
import { textOf, type Message } from '../../../src/compaction/messages/message.ts';
import { ladder } from '../../../src/compaction/strategies/ladder.ts';
import type { SummaryModel } from '../../../src/compaction/summary/summary-model.ts';
import { applyRecord } from '../../../src/compaction/transcript/view.ts';
import { createMeter, runCompaction, SummaryModelDouble } from '../../support/engine.ts';
import { called, result, said, system, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

/** A session with every rung's material: repeated reads, old output, long arguments, talk. */
const view: readonly Message[] = [
  typed('m0', 'Never touch the vendor folder. Fix the parser.'),
  called('c0', ['a', 'read_file', { path: 'src/parser.ts' }]),
  result('r0', 'a', textOfTokens(2_000)),
  called('c1', ['b', 'read_file', { path: 'src/parser.ts' }]),
  result('r1', 'b', `${textOfTokens(2_000)} changed`),
  called('c2', ['c', 'bash', { command: 'npm test' }]),
  result('r2', 'c', `exit code 1\nParseError: unexpected end\n${textOfTokens(4_000)}`),
  called('c3', ['d', 'write_file', { path: 'src/out.ts', content: textOfTokens(4_000) }]),
  result('r3', 'd', 'written'),
  said('s4', textOfTokens(4_000)),
  called('c5', ['e', 'bash', { command: 'ls' }]),
  result('r5', 'e', textOfTokens(300)),
];

const question = typed('m0', 'Fix the parser.');
const last = [called('c9', ['z', 'bash', { command: 'ls' }]), result('r9', 'z', 'parser.ts')];
/** Histories in which one thing takes most of the room. */
const repeated: readonly Message[] = [
  question,
  ...Array.from({ length: 8 }, (_, index) => [
    called(`c${index}`, ['a', 'read_file', { path: 'src/parser.ts' }]),
    result(`r${index}`, 'a', `${textOfTokens(900)} ${index}`),
  ]).flat(),
  ...last,
];
const oldOutput: readonly Message[] = [
  question,
  ...Array.from({ length: 8 }, (_, index) => [
    called(`c${index}`, ['a', 'bash', { command: `run ${index}` }]),
    result(`r${index}`, 'a', `${textOfTokens(900)} ${index}`),
  ]).flat(),
  ...last,
];
const longArguments: readonly Message[] = [
  question,
  ...Array.from({ length: 8 }, (_, index) => [
    called(`c${index}`, ['a', 'write_file', { path: `src/${index}.ts`, content: textOfTokens(900) }]),
    result(`r${index}`, 'a', 'written'),
  ]).flat(),
  ...last,
];
const talk: readonly Message[] = [
  question,
  ...Array.from({ length: 8 }, (_, index) => said(`s${index}`, textOfTokens(900))),
  ...last,
];

describe('ladder', () => {
  const notes = () => new SummaryModelDouble('<discussion>the parser is half done</discussion>');
  const climb = async (
    target: number,
    model: SummaryModel | null = notes(),
    requirement: 'soft' | 'hard' = 'soft',
    history = view,
  ) =>
    (
      await runCompaction(
        {
          view: history,
          strategy: ladder,
          options: { protectTokens: 1_000 },
          target,
          requirement,
          ...(model === null ? {} : { model }),
        },
        meter,
      )
    )[0]!;
  const applied = (record: { readonly tiers: readonly { strategy: string; status: string }[] }) =>
    record.tiers.filter(({ status }) => status === 'applied').map(({ strategy }) => strategy);

  it.each([
    ['repeated results', repeated, ['stale-results', 'ladder']],
    ['old output', oldOutput, ['observation-masking', 'ladder']],
    ['long arguments', longArguments, ['argument-clipping', 'ladder']],
    ['talk', talk, ['anchored-summary', 'ladder']],
  ])('uses only the steps necessary for %s', async (_name, history, rungs) => {
    const record = await climb(2_500, notes(), 'soft', history);
    expect(record.status).toBe('applied');
    expect(applied(record)).toEqual(rungs);
    expect(record.after.tokens).toBeLessThanOrEqual(2_500);
  });

  it('shortens the oldest output first, and no more than the target requires', async () => {
    const record = await climb(6_000, notes(), 'soft', oldOutput);
    const touched = record.actions
      .filter(({ kind }) => kind === 'offload')
      .flatMap(({ sourceIds }) => sourceIds);
    expect(touched).toEqual(['r0', 'r1']);
    expect(record.after.tokens).toBeLessThanOrEqual(6_000);
  });

  it('uses no model while shortening is enough', async () => {
    const model = notes();
    await climb(2_500, model, 'soft', oldOutput);
    expect(model.requests).toEqual([]);
  });

  it('removes copies of system messages without showing them to the model', async () => {
    const model = notes();
    const copies = ['p0', 'p1', 'p2'].map((id) => system(id, `rules ${textOfTokens(1_500)}`));
    const history = [copies[0]!, question, copies[1]!, ...talk.slice(1), copies[2]!];
    const record = await climb(2_500, model, 'soft', history);
    expect(record.actions.filter(({ kind }) => kind === 'drop')).toMatchObject([
      { sourceIds: ['p1', 'p2'], reason: 'repeats an earlier system message' },
    ]);
    expect(record.after.tokens).toBeLessThanOrEqual(2_500);
    expect(model.requests.flatMap(({ sources }) => sources).map(({ role }) => role)).not.toContain('system');
  });

  it('records the target', async () => {
    expect((await climb(2_500)).target).toBe(2_500);
  });

  it('copies facts that the model omits', async () => {
    const record = await climb(2_500);
    const text = record.outputs.map(({ content }) => textOf(content)).join('\n');
    for (const fact of [
      'the parser is half done',
      'src/parser.ts',
      'src/out.ts',
      '`npm test` failed',
      'ParseError: unexpected end',
    ]) {
      expect(text).toContain(fact);
    }
  });

  it('lets the model read the original messages', async () => {
    const model = notes();
    await climb(2_500, model);
    expect(model.requests[0]?.sources.find(({ id }) => id === 'r2')).toBe(view[6]);
  });

  it.each([
    ['there is no model', null, 'no-model'],
    ['the model fails', new SummaryModelDouble(() => new Error('503')), 'model-failed'],
    ['the model leaves its answer open', new SummaryModelDouble('<discussion>and then'), 'summary-unclosed'],
  ])('folds messages without a model if %s, and records why', async (_name, model, code) => {
    const record = await climb(2_500, model);
    expect(record.status).toBe('applied');
    expect(applied(record).at(-2)).toBe(lastResortId);
    expect(record.tiers.find(({ strategy }) => strategy === 'anchored-summary')?.reason?.code).toBe(code);
    expect(record.after.tokens).toBeLessThanOrEqual(2_500);
  });

  it('reports exhaustion if protected messages are too large', async () => {
    const record = await climb(5, notes(), 'hard');
    expect(record).toMatchObject({ status: 'failed', reason: { code: 'exhausted' } });
    expect(record.tiers.map(({ strategy }) => strategy)).toContain(lastResortId);
  });

  it('takes one more step each time the user requests a compaction below the target', async () => {
    const first = await climb(100_000);
    expect(applied(first)).toEqual(['stale-results', 'observation-masking', 'ladder']);
    const again = async (before: readonly Message[]) =>
      (
        await runCompaction(
          {
            view: before,
            strategy: ladder,
            options: { protectTokens: 1_000 },
            target: 100_000,
            model: notes(),
          },
          meter,
        )
      )[0]!;
    const shortened = applyRecord(view, first);
    const second = await again(shortened);
    expect(applied(second)).toEqual(['anchored-summary', 'ladder']);
    expect((await again(applyRecord(shortened, second))).status).toBe('unchanged');
  });

  describe('if protected messages exceed the target', () => {
    const pasted = typed('m9', `Here is the log: ${textOfTokens(6_000)}`);
    const history = [...view, said('s8', textOfTokens(500)), pasted];

    it.each([
      ['a model summarises', notes()],
      ['there is no model', null],
    ])('frees everything else if %s, and clips no protected message', async (_name, model) => {
      const record = await climb(2_500, model, 'soft', history);
      expect(record).toMatchObject({ status: 'applied', warnings: [] });
      expect(record.after.tokens).toBeLessThan(6_800);
      const after = applyRecord(history, record);
      expect(after.at(-1)).toBe(pasted);
      expect(after.map(({ content }) => textOf(content)).join('\n')).toContain('`npm test` failed');
    });

    it('clips protected messages for a hard requirement, and warns', async () => {
      const record = await climb(2_500, null, 'hard', history);
      expect(record.status).toBe('applied');
      expect(record.after.tokens).toBeLessThanOrEqual(2_500);
      expect(record.warnings).toEqual([expect.stringContaining('Message m9 is too large for the window')]);
    });
  });

  it('loses no facts or typed messages if a soft target has room for them', async () => {
    const complaint = 'I think there might be some mix-up. Can we focus on my flight from Atlanta, please?';
    const history: readonly Message[] = [
      typed('m0', 'Sure, my user ID is james_lee_6136, and my reservation ID is XEWRD9.'),
      called('c0', ['a', 'find', { reservation_id: 'XEWRD9' }]),
      result('r0', 'a', textOfTokens(900)),
      ...Array.from({ length: 12 }, (_, index) => [
        typed(`m${index + 1}`, `${index}: ${complaint}`),
        said(`s${index + 1}`, textOfTokens(60)),
      ]).flat(),
      typed('m20', 'Thank you!'),
    ];
    const record = await climb(700, null, 'soft', history);
    expect(applied(record)).toContain(lastResortId);
    expect(record.after.tokens).toBeLessThanOrEqual(700);
    const after = applyRecord(history, record);
    expect(record.coverage.userMessages).toMatchObject({ kept: 14, total: 14 });
    expect(textOf(after.find(({ kind }) => kind === 'summary')!.content)).toContain('XEWRD9');
  });

  it('does not record a summary as applied if it was left out', async () => {
    const words = textOfTokens(490);
    const record = await climb(600, new SummaryModelDouble(`<discussion>${words}</discussion>`));
    expect(record.status).toBe('applied');
    const text = record.outputs.map(({ content }) => textOf(content)).join('\n');
    const { status } = record.tiers.find(({ strategy }) => strategy === 'anchored-summary')!;
    expect(status === 'applied').toBe(text.includes(words));
    expect(record.after.tokens).toBeLessThanOrEqual(600);
  });
});
