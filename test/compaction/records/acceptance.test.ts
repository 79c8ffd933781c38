import { describe, expect, it } from 'vitest';
import { findObjection, type PlannedView } from '../../../src/compaction/records/acceptance.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import type { RecordedAction } from '../../../src/compaction/records/record.ts';
import { called, result, said, system, typed } from '../../support/messages.ts';

const before = [
  system('m1', 'rules'),
  typed('m2', 'find the bug'),
  called('m3', ['a', 'read_file', { path: 'x.ts' }]),
  result('m4', 'a', 'a long file'),
  said('m5', 'it is in line 3'),
  typed('m6', 'fix it'),
];

function action(
  kind: RecordedAction['kind'],
  sourceIds: readonly string[],
  change: Partial<RecordedAction> = {},
): RecordedAction {
  return { kind, sourceIds, reason: 'test', tokensBefore: 100, tokensAfter: 10, ...change };
}

/** A proposal that passes: the result of `m4` is hidden. Each test spoils one thing. */
function proposal(change: Partial<PlannedView> = {}): PlannedView {
  return {
    before,
    after: before.map((message) => (message.id === 'm4' ? { ...message, content: '[hidden]' } : message)),
    actions: [
      action('keep', ['m1', 'm2', 'm3'], { tokensAfter: 100 }),
      action('hide', ['m4'], { outputId: 'm4' }),
      action('keep', ['m5', 'm6'], { tokensAfter: 100 }),
    ],
    tokensBefore: 300,
    tokensAfter: 210,
    requirement: 'soft',
    target: 150,
    protectedIds: new Set(['m1', 'm6']),
    mayClipProtected: false,
    ...change,
  };
}

const code = (change: Partial<PlannedView>) => findObjection(proposal(change))?.code;
const summary = (content: string): Message => ({
  ...typed('c1.1', content),
  origin: 'strategy',
  kind: 'summary',
});
const summarised = (content: string, change: Partial<RecordedAction> = {}): Partial<PlannedView> => ({
  after: [before[0]!, before[1]!, summary(content), before[5]!],
  actions: [
    action('keep', ['m1', 'm2']),
    action('summarise', ['m3', 'm4', 'm5'], { outputId: 'c1.1', ...change }),
    action('keep', ['m6']),
  ],
});

describe('findObjection', () => {
  it('has none to a smaller, valid view', () => {
    expect(findObjection(proposal())).toBeUndefined();
    expect(findObjection(proposal(summarised('so far')))).toBeUndefined();
  });

  it('objects to a view that a provider would refuse', () => {
    const withoutResult = before.filter(({ id }) => id !== 'm4');
    expect(code({ after: withoutResult, actions: [action('drop', ['m4'])] })).toBe('invalid-view');
  });

  it('objects to arguments that are no longer JSON', () => {
    const clipped: Message = {
      ...before[2]!,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path":"x' } }],
    };
    const after = before.map((message) => (message.id === 'm3' ? clipped : message));
    expect(code({ after, actions: [action('clip', ['m3'], { outputId: 'm3' })] })).toBe('invalid-view');
  });

  it('objects when a protected message is gone or different', () => {
    const changed = before.map((message) => (message.id === 'm6' ? { ...message, content: 'x' } : message));
    expect(code({ after: changed, actions: [action('clip', ['m6'])] })).toBe('protected-changed');
    expect(code({ after: before.slice(0, 5), actions: [action('drop', ['m6'])] })).toBe('protected-changed');
  });

  it('lets the last tier clip a protected message, and only clip it', () => {
    const truncation = { fate: 'clip', originalTokens: 9 } as const;
    const clipped = before.map((message) =>
      message.id === 'm6' ? { ...message, content: 'f…', truncation } : message,
    );
    const change = { after: clipped, actions: [action('clip', ['m6'])], mayClipProtected: true };
    expect(code(change)).toBeUndefined();
    expect(code({ ...change, after: before.slice(0, 5) })).toBe('protected-changed');
  });

  it('objects when kept messages change places', () => {
    const swapped = [before[0]!, before[1]!, before[4]!, before[2]!, before[3]!, before[5]!];
    expect(code({ after: swapped })).toBe('order-changed');
  });

  it('objects when a message that should be kept is missing or different', () => {
    const changed = before.map((message) => (message.id === 'm5' ? { ...message, content: 'x' } : message));
    expect(code({ after: changed })).toBe('order-changed');
  });

  it('objects when something appears before the first planned change', () => {
    const slipped = [summary('hello'), ...proposal().after];
    expect(code({ after: slipped })).toBe('prefix-changed');
  });

  it('accepts an insertion where the plan says it is', () => {
    const after = [before[0]!, before[1]!, summary('found earlier'), ...before.slice(5)];
    const actions = [
      action('insert', [], { outputId: 'c1.1', after: 'm2' }),
      action('drop', ['m3', 'm4', 'm5'], { tokensAfter: 0 }),
    ];
    expect(code({ after, actions })).toBeUndefined();
  });

  it('objects to a new message before or among the system messages that the view begins with', () => {
    const rules = [system('m0', 'who you are'), ...before];
    const hidden = [rules[0]!, ...proposal().after];
    const hide = action('hide', ['m4'], { outputId: 'm4' });
    for (const [position, behind] of [null, 'm0'].entries()) {
      const after = [...hidden.slice(0, position), summary('hello'), ...hidden.slice(position)];
      const actions = [action('insert', [], { outputId: 'c1.1', after: behind }), hide];
      expect(code({ before: rules, after, actions })).toBe('order-changed');
    }
    const behindThem = [...hidden.slice(0, 2), summary('hello'), ...hidden.slice(2)];
    const actions = [action('insert', [], { outputId: 'c1.1', after: 'm1' }), hide];
    expect(code({ before: rules, after: behindThem, actions })).toBeUndefined();
  });

  it('lets a copy of a system message leave that is not protected', () => {
    const rules = [system('m0', 'rules'), ...before];
    const after = [rules[0]!, ...proposal().after.slice(1)];
    const actions = [action('drop', ['m1']), action('hide', ['m4'], { outputId: 'm4' })];
    expect(code({ before: rules, after, actions, protectedIds: new Set(['m0', 'm6']) })).toBeUndefined();
  });

  it('objects to a change that no plan may make, to one that another action stands for, and to messages from nowhere', () => {
    const become = (change: Partial<Message>) =>
      before.map((message) => (message.id === 'm4' ? { ...message, ...change } : message));
    const hidden = { content: '[hidden]', truncation: { fate: 'hide' } } as const;
    expect(code({ after: become(hidden) })).toBeUndefined();
    expect(code({ after: become({ ...hidden, origin: 'person' }) })).toBe('change-not-permitted');
    expect(code({ after: become({ ...hidden, truncation: { fate: 'clip' } }) })).toBe('change-not-permitted');
    const forged: Message = { ...summary('so far'), origin: 'person' };
    const change = summarised('so far');
    expect(code(change)).toBeUndefined();
    const after = change.after!.map((message) => (message.id === 'c1.1' ? forged : message));
    expect(code({ ...change, after })).toBe('change-not-permitted');
    const another = [...proposal().after.slice(0, 5), said('m9', 'hello'), before[5]!];
    expect(code({ after: another })).toBe('change-not-permitted');
  });

  it('objects to a blank summary', () => {
    expect(code(summarised('so far'))).toBeUndefined();
    const blank = summarised('[x]');
    expect(code({ ...blank, after: blank.after!.filter(({ id }) => id !== 'c1.1') })).toBe('summary-empty');
  });

  it('objects to a summary that is larger than what it replaces', () => {
    expect(code(summarised('so far', { tokensAfter: 100 }))).toBe('summary-inflated');
  });

  it('objects to a view that is not smaller', () => {
    expect(code({ tokensAfter: 300 })).toBe('not-smaller');
  });

  it('objects to a view over the target only when the requirement is hard', () => {
    expect(code({ requirement: 'hard' })).toBe('over-target');
    expect(code({ requirement: 'hard', target: 210 })).toBeUndefined();
  });
});
