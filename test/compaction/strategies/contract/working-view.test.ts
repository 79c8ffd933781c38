import { describe, expect, it } from 'vitest';
import { applyActions, draftPlan } from '../../../../src/compaction/records/plan.ts';
import { WorkingView } from '../../../../src/compaction/strategies/contract/working-view.ts';
import { createMeter } from '../../../support/engine.ts';
import { called, result, textOfTokens, typed } from '../../../support/messages.ts';

const meter = await createMeter();

const view = [
  typed('m1', 'read it'),
  called('m2', ['a', 'Read', { path: 'src/a.ts', note: 'x'.repeat(900) }]),
  result('m3', 'a', textOfTokens(500)),
  typed('m4', 'and now'),
];
const clip = (id: string, content: string) => ({ kind: 'clip' as const, id, content, reason: 'long' });

describe('a working view', () => {
  const start = async () => new WorkingView({ view, tokens: (await meter.measure(view)).total }, meter);
  const applied = (working: WorkingView) => {
    const drafted = draftPlan(view, working.plan(), { recordId: 'c1', createdAt: '' });
    return applyActions(view, drafted.actions, drafted.outputs);
  };

  it('has the exact size of the planned view after every step', async () => {
    const working = await start();
    await working.rewrite([clip('m3', 'short')]);
    await working.summarise(['m2', 'm3'], { text: 'it was read' }, 'old');
    await working.insert('m1', { text: 'a note' }, 'helps');
    expect(working.tokens).toBe((await meter.measure(applied(working))).total);
  });

  it('keeps both changes of a message clipped in two steps, and the original size', async () => {
    const working = await start();
    const { total } = await meter.measure([view[1]!]);
    const shorter = [{ ...view[1]!.tool_calls![0]!, function: { name: 'Read', arguments: '{}' } }];
    await working.rewrite([{ kind: 'clip', id: 'm2', toolCalls: shorter, reason: 'long arguments' }]);
    const plan = working.plan();
    expect(plan.actions).toEqual([
      { kind: 'clip', id: 'm2', toolCalls: shorter, originalTokens: total, reason: 'long arguments' },
    ]);
  });

  it('skips a rewrite that would not shorten the message', async () => {
    const working = await start();
    expect(await working.rewrite([clip('m4', 'and now, at length')])).toBe(0);
    expect(working.isChanged).toBe(false);
  });

  it('skips a placeholder that saves fewer than 30 tokens', async () => {
    const placeholder = '[Result of Read]';
    const { total } = await meter.measure([result('m3', 'a', placeholder)]);
    const hidden = async (saved: number) => {
      // Each of these words is a separate token.
      const text = `${placeholder}${' word'.repeat(saved)}`;
      const some = view.map((message) => (message.id === 'm3' ? result('m3', 'a', text) : message));
      expect((await meter.measure([some[2]!])).total - total).toBe(saved);
      const working = new WorkingView({ view: some, tokens: (await meter.measure(some)).total }, meter);
      return working.rewrite([{ kind: 'hide', id: 'm3', content: placeholder, reason: 'old' }]);
    };
    expect(await hidden(29)).toBe(0);
    expect(await hidden(30)).toBe(30);
  });

  it('stops rewriting once the view has the requested size', async () => {
    const working = await start();
    await working.rewrite([clip('m3', 'short'), clip('m1', 'r')], working.tokens - 100);
    expect(working.plan().actions.map((action) => 'id' in action && action.id)).toEqual(['m3']);
  });

  it('discards the rewrite of a message that a later step removes', async () => {
    const working = await start();
    await working.rewrite([clip('m3', 'short')]);
    await working.drop(['m2', 'm3'], 'old');
    expect(working.plan().actions).toEqual([{ kind: 'drop', ids: ['m2', 'm3'], reason: 'old' }]);
  });
});
