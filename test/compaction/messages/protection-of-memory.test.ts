import { describe, expect, it } from 'vitest';
import {
  isPlan,
  planSource,
  protectedIds,
  supersededIds,
} from '../../../src/compaction/messages/protection.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { strategyOf, type StrategyId } from '../../../src/compaction/strategies/index.ts';
import { viewAfter } from '../../contract/contract.ts';
import { createMeter, runCompaction, SummaryModelDouble } from '../../support/engine.ts';
import { called, memory, result, said, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

const from = (source: string, id: string, content: string): Message => ({ ...memory(id, content), source });
const long = textOfTokens(300);

describe('memory from a source', () => {
  it('is superseded only by later memory from the same source', () => {
    const view = [
      memory('m1', 'of no source'),
      from('AGENTS.md', 'm2', 'old'),
      from('CLAUDE.md', 'm3', 'other'),
      from('AGENTS.md', 'm4', 'newer'),
      { ...typed('m5', 'a message'), source: 'CLAUDE.md' },
      from('AGENTS.md', 'm6', 'newest'),
      memory('m7', 'of no source'),
    ];
    expect([...supersededIds(view)].toSorted()).toEqual(['m2', 'm4']);
  });

  it('is protected until it is superseded, and always if it is pinned', () => {
    const view = [from('a', 'm1', '1'), from('a', 'm2', '2'), from('a', 'm3', '3'), memory('m4', '4')];
    const ids = protectedIds(view, { pins: new Set(['m1']), protectFirst: false });
    expect([...ids].toSorted()).toEqual(['m1', 'm3', 'm4']);
  });

  it('is recognised as the plan by its source', () => {
    expect(isPlan(from(planSource, 'm1', '- [ ] a'))).toBe(true);
    expect(isPlan({ ...typed('m1', '- [ ] a'), source: planSource })).toBe(false);
  });
});

describe('superseded memory', () => {
  const view = [
    typed('m1', 'the task'),
    from('plan', 'm2', `old plan ${long}`),
    said('m3', long),
    from('plan', 'm4', 'new plan'),
    typed('m5', 'go on'),
    said('m6', 'done'),
  ];
  const compacted = async (
    id: StrategyId,
    of: readonly Message[],
    model = new SummaryModelDouble('<summary>notes</summary>'),
  ) => {
    const record = (await runCompaction({ view: of, strategy: strategyOf(id), model }, meter)).at(-1)!;
    return { record, model, ids: viewAfter(of, record).map((message) => message.id) };
  };

  it.each(['ladder', 'observation-masking'] as const)('is removed by %s', async (id) => {
    const { record, ids } = await compacted(id, view);
    expect(ids).toEqual(['m1', 'm3', 'm4', 'm5', 'm6']);
    expect(record.actions.find(({ kind }) => kind === 'drop')?.reason).toContain('newer memory');
  });

  it('is removed with the summarised messages, but is not summarised', async () => {
    const { ids, model } = await compacted('llm-summary', view);
    expect(ids).toEqual(['c1.1', 'm4', 'm5', 'm6']);
    expect(model.requests[0]?.prompt).toContain('the task');
    expect(model.requests[0]?.prompt).not.toContain('old plan');
    expect(model.requests[0]?.sources.map((message) => message.id)).toEqual(['m1', 'm3']);
  });

  it.each([
    'llm-summary',
    'anchored-summary',
    'chunked',
    'whole-history',
    'state-snapshot',
    'retrieve-facts',
  ] as const)('alone does not cause %s to ask a model', async (id) => {
    const { model } = await compacted(
      id,
      [view[1]!, view[3]!, typed('m5', 'go on'), said('m6', 'ok')].slice(0, 3),
    );
    expect(model.requests).toEqual([]);
  });

  it('is not summarised, even if other memory is', async () => {
    const model = new SummaryModelDouble('<summary>notes</summary>');
    const strategy = strategyOf('whole-history');
    await runCompaction({ view, strategy, model, options: { preserveMemory: false } }, meter);
    expect(model.requests[0]?.prompt).toContain('new plan');
    expect(model.requests[0]?.prompt).not.toContain('old plan');
  });

  it('is not copied by a snapshot if it is a plan that stays as memory', async () => {
    const steps = { steps: [{ text: 'write it', status: 'pending' }] };
    const planned = [
      typed('m1', 'begin'),
      called('m2', ['a', 'update_plan', steps]),
      result('m3', 'a', 'ok'),
      from('plan', 'm4', '- [ ] write it'),
      said('m5', long),
      typed('m6', 'go on'),
      said('m7', 'ok'),
    ];
    const model = new SummaryModelDouble('<state_snapshot>the goal</state_snapshot>');
    const { record } = await compacted('state-snapshot', planned, model);
    expect(record.status).toBe('applied');
    expect(JSON.stringify(record.outputs)).not.toContain('current_plan');
  });
});

describe('memory that a summary may replace', () => {
  const view = [
    typed('m1', 'the task'),
    from('CLAUDE.md', 'm2', `out of date ${long}`),
    from('AGENTS.md', 'm3', 'tabs, never spaces'),
    from('CLAUDE.md', 'm4', 'in force'),
    ...[5, 7, 9, 11].flatMap((number) => [said(`m${number}`, long), typed(`m${number + 1}`, 'go on')]),
    said('m13', 'ok'),
  ];
  const answer = [
    '<summary>notes</summary>',
    '<discussion>notes</discussion>',
    '<state_snapshot>notes</state_snapshot>',
    '<facts>["notes"]</facts>',
  ];
  const strategies: readonly (readonly [StrategyId, Readonly<Record<string, unknown>>])[] = [
    ['llm-summary', {}],
    ['hiding-then-summary', {}],
    ['selective', { summary: 'always' }],
    ['whole-history', {}],
    ['last-n-messages', { mode: 'summarise', n: 4 }],
    ['chunked', {}],
    ['state-snapshot', { verify: 'never' }],
    ['anchored-summary', {}],
    ['ladder', {}],
    ['provider-native', {}],
    ['retrieve-facts', { fallback: 'llm-summary' }],
  ];

  async function run(
    id: StrategyId,
    options: Readonly<Record<string, unknown>>,
    pins: readonly string[] = [],
  ) {
    const model = new SummaryModelDouble(({ tag }) => ({
      content: answer.find((text) => text.startsWith(`<${tag}>`)) ?? 'notes',
      finishReason: 'stop',
    }));
    const strategy = strategyOf(id);
    const run = { view, strategy, model, options, pins: new Set(pins), target: 900, window: 8_000 };
    const [record] = await runCompaction(run, meter);
    expect(record?.status).toBe('applied');
    const read = model.requests.map(({ prompt }) => prompt).join('\n');
    return { after: viewAfter(view, record!), read };
  }
  const current = ['m3', 'm4'];
  const left = (after: readonly Message[]) => after.filter(({ id }) => current.includes(id));

  it.each(strategies)('stays word for word with %s', async (id, options) => {
    const { after, read } = await run(id, options);
    expect(left(after)).toEqual(view.filter((message) => current.includes(message.id)));
    expect(read).not.toContain('tabs, never spaces');
  });

  it.each(strategies)('is summarised with %s on request', async (id, options) => {
    const { after, read } = await run(id, { ...options, preserveMemory: false });
    expect(left(after)).toEqual([]);
    expect(read).toContain('tabs, never spaces');
    expect(read).not.toContain('out of date');
  });

  it.each(strategies)('stays word for word with %s if it is pinned', async (id, options) => {
    const { after } = await run(id, { ...options, preserveMemory: false }, ['m3']);
    expect(left(after).map(({ id: kept }) => kept)).toEqual(['m3']);
  });

  it('is never removed by a strategy that only removes messages', async () => {
    const { after } = await run('last-n-messages', { mode: 'keep', n: 4, preserveMemory: false });
    expect(left(after)).toHaveLength(2);
  });
});
