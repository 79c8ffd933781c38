import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CompactionFailure } from '../../../../src/compaction/records/reason.ts';
import {
  longestPlan,
  mostInsertions,
  parseCustomPlan,
} from '../../../../src/compaction/strategies/contract/parse-custom-plan.ts';
import { noSession } from '../../../../src/compaction/quoting/session-tags.ts';
import { summaryText } from '../../../../src/compaction/summary/summary-form.ts';

const sizes = new Map([
  ['m1', 10],
  ['m2', 20],
]);
const read = (answer: unknown) =>
  parseCustomPlan(answer, sizes, 'mine', { tagSuffix: noSession, written: new Map() });
const plan = (...actions: readonly unknown[]) => ({ kind: 'plan', plan: { actions } });

describe('parseCustomPlan', () => {
  it('accepts every kind of action', () => {
    const actions = [
      { kind: 'hide', id: 'm1', placeholder: 'gone', reason: 'old' },
      { kind: 'offload', id: 'm1', placeholder: 'elsewhere', reason: 'old' },
      { kind: 'clip', id: 'm2', content: 'a…z', reason: 'long' },
      { kind: 'drop', ids: ['m1'], reason: 'old' },
    ];
    expect(read(plan(...actions))).toEqual({
      kind: 'plan',
      plan: {
        actions: [
          { ...actions[0], originalTokens: 10 },
          { ...actions[1], originalTokens: 10 },
          { ...actions[2], originalTokens: 20 },
          actions[3],
        ],
      },
    });
  });

  it('puts the text of a summary between the usual tags once', () => {
    const text = summaryText('notes', noSession);
    expect(read(plan({ kind: 'summarise', ids: ['m1'], text: 'notes', reason: 'old' }))).toMatchObject({
      plan: { actions: [{ text }] },
    });
    expect(read(plan({ kind: 'insert', after: null, text, reason: 'old' }))).toMatchObject({
      plan: { actions: [{ text }] },
    });
  });

  it('refuses a blank summary', () => {
    expect(() => read(plan({ kind: 'summarise', ids: ['m1'], text: ' ', reason: 'old' }))).toThrow(
      expect.objectContaining({
        name: 'CompactionFailure',
        code: 'summary-empty',
        message: 'mine: plan.actions[0].text is empty.',
      }),
    );
  });

  it('ignores numbers and fields outside the contract', () => {
    const action = {
      kind: 'hide',
      id: 'm1',
      placeholder: 'gone',
      reason: 'old',
      originalTokens: 1e9,
      role: 'system',
    };
    expect(read({ ...plan(action), summary: { model: 'invented' } })).toEqual({
      kind: 'plan',
      plan: { actions: [{ kind: 'hide', id: 'm1', placeholder: 'gone', reason: 'old', originalTokens: 10 }] },
    });
  });

  it('accepts "unchanged" with a reason', () => {
    expect(read({ kind: 'unchanged', reason: 'small' })).toEqual({ kind: 'unchanged', reason: 'small' });
  });

  it.each([
    ['nothing', undefined, 'mine: the answer must be an object, not undefined.'],
    ['a text', 'drop all', 'mine: the answer must be an object, not "drop all".'],
    ['a function', () => {}, 'mine: the answer must be an object, not a function.'],
    ['a list', [], 'mine: the answer must be an object, not a list.'],
    ['another kind', { kind: 'delete' }, 'mine: kind must be "plan" or "unchanged", not "delete".'],
    ['no reason', { kind: 'unchanged' }, 'mine: reason must be a string, not undefined.'],
    ['no plan', { kind: 'plan' }, 'mine: plan must be an object, not undefined.'],
    ['no list', { kind: 'plan', plan: { actions: {} } }, 'mine: plan.actions must be a list, not an object.'],
    [
      'an action of no kind',
      plan({ kind: 'keep', ids: [] }),
      'mine: plan.actions[0].kind must be one of hide, offload, clip, drop, summarise, insert, not "keep".',
    ],
    [
      'an invalid id',
      plan({ kind: 'drop', ids: ['m1', 2], reason: '' }),
      'mine: plan.actions[0].ids[1] must be a string, not 2.',
    ],
    [
      'a clip without content or calls',
      plan({ kind: 'clip', id: 'm1', reason: '' }),
      'mine: plan.actions[0].content must be present if toolCalls is absent, not undefined.',
    ],
    [
      'invalid calls',
      plan({ kind: 'clip', id: 'm1', toolCalls: [{ id: 'a' }], reason: '' }),
      'mine: plan.actions[0].toolCalls[0].function must be an object, not undefined.',
    ],
  ])('refuses %s with the expected form', (_name, answer, message) => {
    expect(() => read(answer)).toThrow(
      expect.objectContaining({ name: 'CompactionFailure', code: 'custom-invalid', message }),
    );
  });

  it('refuses circular data', () => {
    const answer: Record<string, unknown> = { kind: 'plan' };
    answer['plan'] = answer;
    expect(() => read(answer)).toThrow(/answer is not plain data/);
  });

  it('refuses more text than could be counted', () => {
    const text = 'x'.repeat(longestPlan + 1);
    expect(() => read(plan({ kind: 'insert', after: null, text, reason: '' }))).toThrow(/characters of text/);
  });

  it('refuses more insertions than a plan may have', () => {
    const insertions = Array.from({ length: mostInsertions + 1 }, () => ({
      kind: 'insert',
      after: null,
      text: 'x',
      reason: '',
    }));
    expect(() => read(plan(...insertions))).toThrow(/at most 100 insertions/);
  });

  it('throws only its own error, for any answer', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }),
        (answer) => {
          try {
            read(answer);
          } catch (error) {
            expect(error).toBeInstanceOf(CompactionFailure);
          }
        },
      ),
    );
  });
});
