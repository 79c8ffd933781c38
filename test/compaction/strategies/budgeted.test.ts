import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { budgeted } from '../../../src/compaction/strategies/budgeted.ts';
import { describeContract } from '../../contract/any-history.ts';
import { createMeter, runCompaction, type Run } from '../../support/engine.ts';
import { called, memory, result, said, system, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

/** An exchange: `c1` calls, `r1` is the result. */
const exchange = (
  step: number,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  text: string,
): readonly Message[] => [called(`c${step}`, ['call', tool, input]), result(`r${step}`, 'call', text)];
const ran = (step: number, tokens: number) =>
  exchange(step, 'bash', { command: `make ${step}` }, `${step} ${textOfTokens(tokens)}`);
const read = (step: number, path: string, tokens: number) =>
  exchange(step, 'Read', { path }, `${path} ${textOfTokens(tokens)}`);

describe('budgeted', () => {
  const run = async (view: readonly Message[], more: Partial<Run> = {}) => {
    return (await runCompaction({ view, strategy: budgeted, ...more }, meter))[0]!;
  };
  /** Outcomes of the messages that were not kept. */
  const changes = async (view: readonly Message[], more: Partial<Run> = {}) =>
    (await run(view, more)).actions
      .filter(({ kind }) => kind !== 'keep')
      .map(({ kind, sourceIds }) => `${kind} ${sourceIds.join(' ')}`);
  const options = { protectTurns: 1, ageTurns: 1 };

  it('first shortens parts that exceed their share, oldest first', async () => {
    const view = [
      typed('m1', 'build it'),
      said('m2', textOfTokens(500)),
      ...ran(1, 600),
      ...ran(2, 600),
      ...ran(3, 600),
      said('m3', 'done'),
    ];
    expect(await changes(view, { target: 2_000, options })).toEqual(['offload r1']);
  });

  it('shortens the parts in the set order', async () => {
    const view = [
      typed('m1', 'look around'),
      ...read(1, 'src/a.ts', 500),
      said('m2', textOfTokens(500)),
      ...ran(2, 500),
      said('m3', 'done'),
    ];
    const allocation = { conversation: 0, toolOutput: 0, documents: 0 };
    const first = async (...order: readonly string[]) =>
      (await changes(view, { target: 1_480, options: { ...options, allocation, order } }))[0];
    expect(await first('toolOutput', 'documents', 'conversation')).toBe('offload r2');
    expect(await first('documents', 'toolOutput')).toBe('offload r1');
    expect(await first('conversation', 'documents')).toBe('drop c1 r1');
  });

  it('hides older reads of the same file and exact duplicates', async () => {
    const view = [
      typed('m1', 'look at a.ts'),
      ...read(1, 'a.ts', 400),
      ...exchange(2, 'bash', { command: 'make' }, textOfTokens(400)),
      ...exchange(3, 'bash', { command: 'make all' }, textOfTokens(400)),
      ...read(4, 'a.ts', 400),
      said('m2', 'done'),
    ];
    const order = ['repeated'];
    expect(await changes(view, { target: 100, options: { ...options, order } })).toEqual([
      'hide r1',
      'hide r2',
    ]);
  });

  it('never changes system messages, memory, the newest replies or the task', async () => {
    const view = [
      system('m0', textOfTokens(500)),
      memory('m1', textOfTokens(500)),
      typed('m2', `the task ${textOfTokens(500)}`),
      ...ran(1, 500),
      ...ran(2, 500),
      ...ran(3, 500),
      ...ran(4, 500),
      typed('m3', 'go on'),
    ];
    const record = await run(view, { target: 100, options: { protectTurns: 3, ageTurns: 3 } });
    const kept = record.actions.filter(({ kind }) => kind === 'keep').flatMap(({ sourceIds }) => sourceIds);
    expect(kept).toEqual(
      expect.arrayContaining(['m0', 'm1', 'm2', 'c2', 'r2', 'c3', 'r3', 'c4', 'r4', 'm3']),
    );
  });

  it('shortens newer content only after all old content', async () => {
    const view = [typed('m1', 'build it'), ...ran(1, 500), ...ran(2, 500), ...ran(3, 500), ...ran(4, 500)];
    const stages = { protectTurns: 1, ageTurns: 3, order: ['toolOutput'] };
    expect(await changes(view, { target: 1_800, options: stages })).toEqual(['offload r1']);
    expect(await changes(view, { target: 1_200, options: stages })).toEqual(['offload r1', 'offload r2']);
  });

  it('keeps documents that the task names, and exchanges that changed a file', async () => {
    const view = [
      typed('m1', 'why does store.ts lose data?'),
      ...read(1, 'src/other.ts', 500),
      ...read(2, 'src/store.ts', 500),
      ...exchange(3, 'edit_file', { path: 'src/lock.ts', new_text: 'x' }, 'ok'),
      ...exchange(4, 'list', {}, 'nothing'),
      said('m2', 'done'),
    ];
    const only = { ...options, order: ['documents', 'conversation'] };
    expect(await changes(view, { target: 200, options: only })).toEqual(['drop c1 r1 c4 r4']);
  });

  it('meets a hard target, even by shortening important content', async () => {
    const view = [
      typed('m1', 'why does store.ts lose data?'),
      ...read(1, 'src/store.ts', 500),
      said('m2', 'because'),
      typed('m3', 'go on'),
    ];
    const record = await run(view, { target: 100, requirement: 'hard', options });
    expect(record).toMatchObject({ status: 'applied', actualStrategy: 'budgeted' });
  });

  it('understands a task in a language without spaces', async () => {
    const view = [
      typed('m1', '仓库为什么丢失数据'),
      said('m2', `仓库丢失数据，因为没有锁 ${textOfTokens(200)}`),
      said('m3', `天气很好 ${textOfTokens(200)}`),
      said('m4', '好'),
    ];
    expect(await changes(view, { target: 100, options })).toEqual(['drop m3']);
  });

  it('warns if content that cannot be shortened exceeds its share', async () => {
    const view = [
      system('m0', textOfTokens(500)),
      typed('m1', 'x'),
      ...ran(1, 500),
      ...ran(2, 500),
      said('m2', 'y'),
    ];
    const { warnings } = await run(view, { target: 800, options });
    expect(warnings).toEqual(['System messages and memory take 503 tokens; their share is 80.']);
  });

  it('reduces the context to a share of the window if no smaller target is set', async () => {
    const view = [typed('m1', 'build it'), ...ran(1, 900), ...ran(2, 900), said('m2', 'done')];
    const record = await run(view, { window: 2_000, target: 100_000, options });
    expect(record.after.tokens).toBeLessThanOrEqual(1_400);
  });

  describeContract(budgeted, { protectTurns: 0, ageTurns: 2, importance: 0.9 });
});
