import { describe, expect, it } from 'vitest';
import {
  applyActions,
  draftPlan,
  InvalidPlanError,
  type PlannedAction,
} from '../../../src/compaction/records/plan.ts';
import { called, result, said, typed } from '../../support/messages.ts';

const view = [
  typed('m1', 'find the bug'),
  called('m2', ['a', 'read_file', { path: 'x.ts' }]),
  result('m3', 'a', 'a long file'),
  said('m4', 'it is in line 3'),
  typed('m5', 'fix it'),
];
const stamp = { recordId: 'c1', createdAt: '2026-01-01T00:00:00.000Z' };
const draft = (...actions: readonly PlannedAction[]) => draftPlan(view, { actions }, stamp);
const after = (...actions: readonly PlannedAction[]) => {
  const { actions: drafts, outputs } = draft(...actions);
  return applyActions(view, drafts, outputs);
};

describe('draftPlan', () => {
  it('names every message of the view exactly once, in order, with kept runs between', () => {
    const { actions } = draft({
      kind: 'hide',
      id: 'm3',
      placeholder: '[…]',
      originalTokens: 9,
      reason: 'old',
    });
    expect(actions.map(({ kind, sourceIds }) => [kind, sourceIds])).toEqual([
      ['keep', ['m1', 'm2']],
      ['hide', ['m3']],
      ['keep', ['m4', 'm5']],
    ]);
  });

  it('refuses a message that the view does not have', () => {
    expect(() => draft({ kind: 'drop', ids: ['m9'], reason: 'gone' })).toThrow(InvalidPlanError);
  });

  it('refuses two actions on one message', () => {
    const hide: PlannedAction = { kind: 'hide', id: 'm3', placeholder: '', originalTokens: 9, reason: 'old' };
    expect(() => draft(hide, { kind: 'drop', ids: ['m3'], reason: 'old' })).toThrow('m3 twice');
  });

  it('refuses a summary of nothing', () => {
    expect(() => draft({ kind: 'summarise', ids: [], text: 'x', reason: 'old' })).toThrow(InvalidPlanError);
  });
});

describe('applyActions', () => {
  it('hides a string behind a placeholder under the same id, and marks it as shortened', () => {
    const hidden = after({
      kind: 'hide',
      id: 'm3',
      placeholder: '[hidden]',
      originalTokens: 9,
      reason: 'old',
    })[2];
    expect(hidden).toMatchObject({
      id: 'm3',
      role: 'tool',
      tool_call_id: 'a',
      content: '[hidden]',
      truncation: { fate: 'hide', originalTokens: 9 },
    });
  });

  it('clips content and calls separately', () => {
    const toolCalls = [{ ...view[1]!.tool_calls![0]!, function: { name: 'read_file', arguments: '{}' } }];
    const clipped = after({ kind: 'clip', id: 'm2', toolCalls, originalTokens: 9, reason: 'long' })[1];
    expect(clipped).toMatchObject({ content: null, tool_calls: toolCalls });
  });

  it('puts a summary at the last of its sources, even if they are not adjacent', () => {
    const view = after({ kind: 'summarise', ids: ['m4', 'm1'], text: 'so far', reason: 'old' });
    expect(view.map(({ id }) => id)).toEqual(['m2', 'm3', 'c1.1', 'm5']);
    expect(view[2]).toMatchObject({ role: 'user', origin: 'strategy', kind: 'summary', content: 'so far' });
  });

  it('inserts after a message or at the start', () => {
    const inserted = after(
      { kind: 'insert', after: null, text: 'first', reason: 'x' },
      { kind: 'insert', after: 'm4', text: 'later', reason: 'x' },
    );
    expect(inserted.map(({ id }) => id)).toEqual(['c1.1', 'm1', 'm2', 'm3', 'm4', 'c1.2', 'm5']);
  });

  it('drops messages', () => {
    expect(after({ kind: 'drop', ids: ['m2', 'm3'], reason: 'old' }).map(({ id }) => id)).toEqual([
      'm1',
      'm4',
      'm5',
    ]);
  });

  it('leaves the given view unchanged', () => {
    const copy = structuredClone(view);
    after({ kind: 'drop', ids: ['m2', 'm3'], reason: 'old' });
    expect(view).toEqual(copy);
  });
});
