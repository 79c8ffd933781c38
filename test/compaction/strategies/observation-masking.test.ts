import { describe, expect, it } from 'vitest';
import { textOf, type Message } from '../../../src/compaction/messages/message.ts';
import { observationMasking } from '../../../src/compaction/strategies/observation-masking.ts';
import { applyRecord } from '../../../src/compaction/transcript/view.ts';
import { createMeter, runCompaction } from '../../support/engine.ts';
import { called, result, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

/** A number of `cat` exchanges, each with a result of the given tokens. */
function session(exchanges: number, tokens: number, tool = 'bash'): readonly Message[] {
  return [
    typed('m0', 'look at everything'),
    ...Array.from({ length: exchanges }, (_, index) => [
      called(`c${index}`, [`call${index}`, tool, { command: `cat file${index}` }]),
      result(`r${index}`, `call${index}`, `first ${index}\n${textOfTokens(tokens)}\nexit code ${index}`),
    ]).flat(),
  ];
}

describe('observation-masking', () => {
  const run = async (
    view: readonly Message[],
    options: Readonly<Record<string, unknown>> = {},
    source: 'manual' | 'ratio' = 'manual',
    target?: number,
  ) =>
    (
      await runCompaction(
        { view, strategy: observationMasking, options, source, ...(target === undefined ? {} : { target }) },
        meter,
      )
    )[0]!;

  it('reduces old output to a few lines, the exit status and a reference', async () => {
    const view = session(3, 400);
    const record = await run(view, { protectTokens: 500 });
    const [masked] = applyRecord(view, record).filter(({ id }) => id === 'r0');
    const lines = textOf(masked!.content).split('\n');
    expect(lines[0]).toBe('first 0');
    expect(lines.at(-2)).toBe('exit code 0');
    expect(lines.at(-1)).toMatch(/^\[Result of bash: \d+ tokens\. recall\("r0"\) returns all of it\.\]$/);
  });

  it('keeps the newest output, and always the newest exchange', async () => {
    const view = session(4, 400);
    const kept = async (protectTokens: number) => {
      const record = await run(view, { protectTokens });
      const touched = record.actions
        .filter(({ kind }) => kind === 'offload')
        .flatMap(({ sourceIds }) => sourceIds);
      return view.filter(({ id }) => id.startsWith('r') && !touched.includes(id)).map(({ id }) => id);
    };
    expect(await kept(0)).toEqual(['r3']);
    expect(await kept(900)).toEqual(['r2', 'r3']);
  });

  it('shortens the oldest output first, and no more than the target requires', async () => {
    const view = session(4, 400);
    const record = await run(view, { protectTokens: 0 }, 'ratio', 1_500);
    const touched = record.actions
      .filter(({ kind }) => kind === 'offload')
      .flatMap(({ sourceIds }) => sourceIds);
    expect(touched).toEqual(['r0']);
    expect(record.after.tokens).toBeLessThanOrEqual(1_500);
  });

  it('leaves the output of exempt tools unchanged', async () => {
    expect((await run(session(4, 400, 'recall'), { protectTokens: 0 })).status).toBe('unchanged');
  });

  it('first hides results that a newer read of the file replaces', async () => {
    const view = [
      typed('m0', 'read it twice'),
      called('c0', ['a', 'read_file', { path: 'src/a.ts' }]),
      result('r0', 'a', textOfTokens(400)),
      called('c1', ['b', 'read_file', { path: 'src/a.ts' }]),
      result('r1', 'b', `${textOfTokens(400)} and more`),
      called('c2', ['d', 'bash', { command: 'ls' }]),
      result('r2', 'd', 'a.ts'),
    ];
    const record = await run(view, { protectTokens: 100_000 });
    expect(record.outputs.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^\[Read again later\. Result of read_file/),
    ]);
  });

  describe('under the rule to save more than rewriting costs', () => {
    it('waits until a batch would save more than rewriting the cache costs', async () => {
      const record = await run(session(12, 1_200), {}, 'ratio', 1);
      expect(record).toMatchObject({ status: 'unchanged' });
      expect(record.reason?.message).toMatch(
        /would free [\d,]+ tokens but write [\d,]+ to the prompt cache again, which pays off only after [\d,]+ requests/,
      );
    });

    it('masks output once the batch is large enough', async () => {
      expect((await run(session(60, 1_200), {}, 'ratio', 1)).status).toBe('applied');
    });

    it('masks output as soon as it frees a set number of tokens', async () => {
      const view = session(12, 1_200);
      expect((await run(view, { minFreedTokens: 500 }, 'ratio', 1)).status).toBe('applied');
      expect((await run(view, { minFreedTokens: 500_000 }, 'ratio', 1)).status).toBe('unchanged');
    });
  });
});
