import { describe, expect, it } from 'vitest';
import {
  applyActions,
  draftPlan,
  InvalidPlanError,
  type PlannedAction,
  type PlannedClip,
  rewrittenBy,
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
  it('names every message of the view exactly once, in order', () => {
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

  it('stores an action with position, reason and message', () => {
    const hide = {
      kind: 'offload',
      id: 'm3',
      placeholder: '[…]',
      originalTokens: 9,
      reason: 'long',
    } as const;
    const { actions, outputs } = draft(
      { kind: 'insert', after: null, text: 'first', reason: 'note' },
      hide,
      { kind: 'drop', ids: ['m2', 'm1'], reason: 'old' },
      { kind: 'summarise', ids: ['m5', 'm4'], text: 'so far', reason: 'old' },
    );
    expect(actions).toEqual([
      { kind: 'insert', sourceIds: [], outputId: 'c1.1', after: null, reason: 'note' },
      { kind: 'drop', sourceIds: ['m1', 'm2'], reason: 'old' },
      { kind: 'offload', sourceIds: ['m3'], outputId: 'm3', reason: 'long', archiveRef: 'm3' },
      { kind: 'summarise', sourceIds: ['m4', 'm5'], outputId: 'c1.2', reason: 'old' },
    ]);
    expect(outputs.map(({ id, content }) => [id, content])).toEqual([
      ['c1.1', 'first'],
      ['m3', '[…]'],
      ['c1.2', 'so far'],
    ]);
    expect(outputs[2]).toEqual({
      ...{ role: 'user', content: 'so far', id: 'c1.2', origin: 'strategy', kind: 'summary' },
      createdAt: stamp.createdAt,
    });
  });

  it('states the reason for kept messages, and places an insertion between two kept messages', () => {
    const { actions } = draft({ kind: 'insert', after: 'm2', text: 'note', reason: 'x' });
    expect(actions).toMatchObject([
      { kind: 'keep', sourceIds: ['m1', 'm2'], reason: 'not touched' },
      { kind: 'insert', after: 'm2' },
      { kind: 'keep', sourceIds: ['m3', 'm4', 'm5'] },
    ]);
  });

  it('adds a file with path and full text', () => {
    const file = { path: 'src/a.ts', original: 'all of it' };
    const insert = { kind: 'insert', after: 'm5', text: 'a part', reason: 'x' } as const;
    const { outputs } = draft({ ...insert, file }, { ...insert, file: { path: 'src/b.ts' } });
    const common = {
      role: 'user',
      content: 'a part',
      origin: 'harness',
      kind: 'file',
      createdAt: stamp.createdAt,
    };
    expect(outputs).toEqual([
      { ...common, id: 'c1.1', source: 'src/a.ts', original: 'all of it' },
      { ...common, id: 'c1.2', source: 'src/b.ts' },
    ]);
  });

  it("adds facts and the provider's form to a summary", () => {
    const opaque = { endpoint: 'x', content: '{}' };
    const [output] = draft({
      kind: 'summarise',
      ids: ['m4'],
      text: 's',
      carried: {},
      opaque,
      reason: 'x',
    }).outputs;
    expect(output).toMatchObject({ carried: {}, opaque });
  });

  const hide: PlannedAction = { kind: 'hide', id: 'm3', placeholder: '', originalTokens: 9, reason: 'old' };
  it.each<[string, string, readonly PlannedAction[]]>([
    ['a message that is not in the view', 'm9', [{ kind: 'drop', ids: ['m9'], reason: 'gone' }]],
    ['two actions on one message', 'm3 twice', [hide, { kind: 'drop', ids: ['m3'], reason: 'old' }]],
    [
      'one message twice in a summary',
      'm3 twice',
      [{ kind: 'summarise', ids: ['m3', 'm3'], text: 'x', reason: 'x' }],
    ],
    ['a summary of nothing', 'summar', [{ kind: 'summarise', ids: [], text: 'x', reason: 'old' }]],
    ['an insertion after a missing message', 'm9', [{ kind: 'insert', after: 'm9', text: 'x', reason: 'x' }]],
  ])('refuses %s', (_, words, actions) => {
    expect(() => draft(...actions)).toThrow(InvalidPlanError);
    expect(() => draft(...actions)).toThrow(words);
  });
});

describe('rewrittenBy', () => {
  const clip: PlannedClip = { kind: 'clip', id: 'm4', content: 'it is…', originalTokens: 9, reason: 'long' };

  it('returns the same object for the same message each time', () => {
    const first = rewrittenBy(clip, view[3]!);
    expect(first).toMatchObject({ content: 'it is…', truncation: { fate: 'clip', originalTokens: 9 } });
    expect(rewrittenBy(clip, view[3]!)).toBe(first);
    expect(rewrittenBy(clip, said('m4', 'another'))).not.toBe(first);
  });

  it('leaves out the full text, because the transcript contains it', () => {
    const { content: _content, ...callsOnly } = clip;
    const message = { ...view[3]!, original: 'it is in line 3, and so on' };
    expect(rewrittenBy(clip, message)).not.toHaveProperty('original');
    expect(rewrittenBy(callsOnly, message)).toMatchObject({ content: 'it is in line 3' });
    expect(rewrittenBy({ ...callsOnly }, message)).not.toHaveProperty('original');
  });

  it('keeps unknown fields of calls', () => {
    const [own] = view[1]!.tool_calls!;
    const more = { ...own!, extra: 1, function: { ...own!.function, more: 2 } };
    const message = { ...view[1]!, tool_calls: [more] };
    const shorter = [{ ...own!, function: { ...own!.function, arguments: '{}' } }];
    const clipped = rewrittenBy(
      { kind: 'clip', id: 'm2', toolCalls: shorter, originalTokens: 9, reason: '' },
      message,
    );
    expect(clipped.tool_calls).toEqual([{ ...more, function: { ...more.function, arguments: '{}' } }]);
    const known = rewrittenBy(
      { kind: 'clip', id: 'm2', toolCalls: shorter, originalTokens: 9, reason: '' },
      view[1]!,
    );
    expect(known.tool_calls?.[0]).toBe(shorter[0]);
    const further = [...shorter, { ...own!, id: 'b' }];
    expect(
      rewrittenBy({ kind: 'clip', id: 'm2', toolCalls: further, originalTokens: 9, reason: '' }, message)
        .tool_calls,
    ).toHaveLength(2);
  });
});

describe('applyActions', () => {
  it('replaces a string with a placeholder under the same id, and marks the message as shortened', () => {
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

  it('places a summary at its last source, even if its sources are not adjacent', () => {
    const view = after({ kind: 'summarise', ids: ['m4', 'm1'], text: 'so far', reason: 'old' });
    expect(view.map(({ id }) => id)).toEqual(['m2', 'm3', 'c1.1', 'm5']);
    expect(view[2]).toMatchObject({ role: 'user', origin: 'strategy', kind: 'summary', content: 'so far' });
  });

  it('inserts a message after another message or at the start', () => {
    const inserted = after(
      { kind: 'insert', after: null, text: 'first', reason: 'x' },
      { kind: 'insert', after: 'm4', text: 'later', reason: 'x' },
    );
    expect(inserted.map(({ id }) => id)).toEqual(['c1.1', 'm1', 'm2', 'm3', 'm4', 'c1.2', 'm5']);
  });

  describe('if planned messages are missing', () => {
    const summarised = draft({ kind: 'summarise', ids: ['m2', 'm3'], text: 'so far', reason: 'x' });
    const applied = (without: readonly string[], { actions, outputs } = summarised) =>
      applyActions(
        view.filter(({ id }) => !without.includes(id)),
        actions,
        outputs,
      ).map(({ id }) => id);

    it('places a summary at its last remaining source, and leaves it out if no source remains', () => {
      expect(applied(['m3'])).toEqual(['m1', 'c1.1', 'm4', 'm5']);
      expect(applied(['m2', 'm3'])).toEqual(['m1', 'm4', 'm5']);
    });

    it('inserts a message before the next remaining neighbour, or at the end', () => {
      const noted = draft({ kind: 'insert', after: 'm2', text: 'note', reason: 'x' });
      expect(applied(['m2'], noted)).toEqual(['m1', 'c1.1', 'm3', 'm4', 'm5']);
      expect(applied(['m2', 'm3'], noted)).toEqual(['m1', 'c1.1', 'm4', 'm5']);
      expect(applied(['m1', 'm2'], noted)).toEqual(['c1.1', 'm3', 'm4', 'm5']);
      expect(applied(['m2', 'm3', 'm4', 'm5'], noted)).toEqual(['m1', 'c1.1']);
      expect(applied(['m1', 'm2', 'm3', 'm4', 'm5'], noted)).toEqual(['c1.1']);
      const followed = draft(
        { kind: 'insert', after: 'm2', text: 'note', reason: 'x' },
        { kind: 'summarise', ids: ['m3', 'm5'], text: 'so far', reason: 'x' },
      );
      expect(applied(['m2', 'm3'], followed)).toEqual(['m1', 'c1.1', 'm4', 'c1.2']);
    });

    it('leaves a message unchanged if its replacement is missing', () => {
      const { actions } = draft({
        kind: 'hide',
        id: 'm3',
        placeholder: '[…]',
        originalTokens: 9,
        reason: 'x',
      });
      expect(applyActions(view, actions, [])).toEqual(view);
    });
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
