import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { applyRecord } from '../../../src/compaction/transcript/view.ts';
import { toolResultHiding } from '../../../src/compaction/strategies/tool-result-hiding.ts';
import { createMeter, runCompaction } from '../../support/engine.ts';
import { called, reminder, result, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

const long = textOfTokens(200);
const exchange = (id: number, callId = `a${id}`, content = long): readonly Message[] => [
  called(`m${id}`, [callId, 'read_file', { path: `f${id}.ts` }]),
  result(`m${id}r`, callId, content),
];

describe('tool-result-hiding', () => {
  const run = async (
    view: readonly Message[],
    options: Readonly<Record<string, unknown>> = {},
    pins?: Set<string>,
  ) => {
    const [record] = await runCompaction(
      { view, strategy: toolResultHiding, options, ...(pins && { pins }) },
      meter,
    );
    return record!;
  };
  const hidden = async (
    view: readonly Message[],
    options?: Readonly<Record<string, unknown>>,
    pins?: Set<string>,
  ) =>
    (await run(view, options, pins)).actions
      .filter(({ kind }) => kind === 'hide')
      .flatMap(({ sourceIds }) => sourceIds);

  it('hides the results of all but the newest five exchanges', async () => {
    const view = [typed('m0', 'go'), ...[1, 2, 3, 4, 5, 6, 7].flatMap((id) => exchange(id))];
    expect(await hidden(view)).toEqual(['m1r', 'm2r']);
  });

  it('counts parallel calls as one exchange', async () => {
    const parallel = [
      called('m1', ['a', 'read_file'], ['b', 'read_file']),
      result('m2', 'a', long),
      result('m3', 'b', long),
    ];
    expect(await hidden([...parallel, ...exchange(4)], { preserveRecentGroups: 1 })).toEqual(['m2', 'm3']);
    expect(await hidden([...exchange(0), ...parallel], { preserveRecentGroups: 1 })).toEqual(['m0r']);
  });

  it("ignores a program's message between exchanges", async () => {
    const view = [...exchange(1), reminder('m2', 'be quick'), ...exchange(3)];
    expect(await hidden(view, { preserveRecentGroups: 1 })).toEqual(['m1r']);
  });

  it('assigns a result with a reused id to the nearest call', async () => {
    const view = [1, 2, 3].flatMap((id) => exchange(id, 'call_0'));
    expect(await hidden(view, { preserveRecentGroups: 1 })).toEqual(['m1r', 'm2r']);
  });

  it('keeps ids, roles, calls and order, with a placeholder that explains recall', async () => {
    const view = [...exchange(1), ...exchange(2)];
    const after = applyRecord(view, await run(view, { preserveRecentGroups: 1 }));
    expect(after.map(({ id, role, tool_call_id }) => [id, role, tool_call_id])).toEqual(
      view.map(({ id, role, tool_call_id }) => [id, role, tool_call_id]),
    );
    expect(after[1]?.content).toMatch(
      /^\[Result of read_file hidden: \d+ tokens\. recall\("m1r"\) returns it\.\]$/,
    );
  });

  it('keeps results that are no larger than the placeholder', async () => {
    expect(await hidden([...exchange(1, 'a', 'ok'), ...exchange(2)], { preserveRecentGroups: 1 })).toEqual(
      [],
    );
  });

  it('keeps results whose placeholder would save little, unless an option is set', async () => {
    const small = [typed('m1', 'go'), called('m2', ['a', 'bash']), result('m3', 'a', textOfTokens(60))];
    const run = async (options: Readonly<Record<string, unknown>>) =>
      (await runCompaction({ view: small, strategy: toolResultHiding, options }, meter))[0]!.status;
    expect(await run({ preserveRecentGroups: 0 })).toBe('unchanged');
    expect(await run({ preserveRecentGroups: 0, minTokens: 0 })).toBe('applied');
  });

  it('keeps results with fewer tokens than minTokens', async () => {
    const options = { preserveRecentGroups: 0, minTokens: 1_000 };
    expect(await hidden([...exchange(1)], options)).toEqual([]);
  });

  it('keeps errors of the last turns, and hides older errors', async () => {
    const error = `TypeError: x is not a function\n${textOfTokens(100)}`;
    const turn = (id: number) => [typed(`u${id}`, 'go'), ...exchange(id, `a${id}`, error)];
    const view = [1, 2, 3, 4].flatMap(turn);
    expect(await hidden(view, { preserveRecentGroups: 0 })).toEqual(['m1r']);
  });

  it('changes nothing when it runs again', async () => {
    const view = [...exchange(1), ...exchange(2)];
    const options = { preserveRecentGroups: 1 };
    const after = applyRecord(view, await run(view, options));
    expect((await run(after, options)).status).toBe('unchanged');
  });

  it('recognises its placeholder after an export and an import', async () => {
    const view = [...exchange(1), ...exchange(2)];
    const options = { preserveRecentGroups: 1, placeholder: '<system>历史 tool_call 已隐藏 {id}</system>' };
    const [first, { truncation: _mark, ...second }] = applyRecord(view, await run(view, options)) as [
      Message,
      Message,
    ];
    expect((await run([first, second, ...view.slice(2)], options)).status).toBe('unchanged');
  });

  it('leaves a pinned result unchanged', async () => {
    const view = [...exchange(1), ...exchange(2), ...exchange(3)];
    expect(await hidden(view, { preserveRecentGroups: 1 }, new Set(['m1r']))).toEqual(['m2r']);
  });
});
