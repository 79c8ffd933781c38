import { describe, expect, it } from 'vitest';
import { findObjection, type PlannedView } from '../../../src/compaction/records/acceptance.ts';
import type { Message, ToolCall } from '../../../src/compaction/messages/message.ts';
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

/** A valid proposal: the result of `m4` is hidden. Each test changes one thing. */
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

/** Code and words of the objection; undefined without any. */
function objection(change: Partial<PlannedView>): string | undefined {
  const reason = findObjection(proposal(change));
  return reason && `${reason.code}: ${reason.message}`;
}

/** The messages, with one of them changed. */
function withChanged(id: string, change: Partial<Message>, messages = before): readonly Message[] {
  return messages.map((message) => (message.id === id ? { ...message, ...change } : message));
}

const summary = (content: string): Message => ({
  ...typed('c1.1', content),
  origin: 'strategy',
  kind: 'summary',
});
const summarised = (content: string, change: Partial<RecordedAction> = {}) => ({
  after: [before[0]!, before[1]!, summary(content), before[5]!],
  actions: [
    action('keep', ['m1', 'm2']),
    action('summarise', ['m3', 'm4', 'm5'], { outputId: 'c1.1', ...change }),
    action('keep', ['m6']),
  ],
});

describe('findObjection', () => {
  it('accepts a smaller, valid view', () => {
    expect(objection({})).toBeUndefined();
    expect(objection(summarised('so far'))).toBeUndefined();
  });

  it('objects to a view that a provider would refuse', () => {
    const after = before.filter(({ id }) => id !== 'm4');
    expect(objection({ after, actions: [action('drop', ['m4'])] })).toBe(
      'invalid-view: A provider would refuse the result. The call a of message 2 has no result after it.',
    );
  });

  describe('objects to a call that', () => {
    const afterwards = (id: string, name: string, text: string, was = before) => {
      const calls: readonly ToolCall[] = [{ id, type: 'function', function: { name, arguments: text } }];
      const after = withChanged('m3', { tool_calls: calls }, was).map((message) =>
        message.id === 'm4' ? { ...message, tool_call_id: id } : message,
      );
      return { before: was, after, actions: [action('clip', ['m3'])] };
    };

    it.each([
      ['has another id', 'b', 'read_file', 'invalid-view: The plan would change a tool call in message m3.'],
      ['calls another tool', 'a', 'grep', 'invalid-view: The plan would change a tool call in message m3.'],
    ])('%s', (_, id, name, expected) => {
      expect(objection(afterwards(id, name, '{"path":"x.ts"}'))).toBe(expected);
    });

    it('has arguments that are no longer JSON', () => {
      expect(objection(afterwards('a', 'read_file', '{"path":"x'))).toBe(
        'invalid-view: Arguments of message m3 would no longer be valid JSON.',
      );
    });

    it('changes arguments that were not JSON', () => {
      const broken = afterwards('a', 'read_file', '{"pa').after;
      expect(objection(afterwards('a', 'read_file', '{"po', broken))).toBe(
        'change-not-permitted: The plan changes arguments in message m3; only shortening their strings is allowed.',
      );
    });
  });

  it('objects to a message that has more calls than before', () => {
    const more = called('m3', ['a', 'read_file', { path: 'x.ts' }], ['b', 'read_file', { path: 'y.ts' }]);
    const after = [before[0]!, before[1]!, more, before[3]!, result('m4b', 'b', 'ok'), ...before.slice(4)];
    expect(objection({ after, actions: [action('clip', ['m3'])] })).toBe(
      'change-not-permitted: The plan would change the tool calls of message m3.',
    );
  });

  it('objects to a protected message that is missing or different', () => {
    expect(objection({ after: withChanged('m6', { content: 'x' }), actions: [action('clip', ['m6'])] })).toBe(
      'protected-changed: Message m6 is protected and would be changed.',
    );
    expect(objection({ after: before.slice(0, 5), actions: [action('drop', ['m6'])] })).toBe(
      'protected-changed: Message m6 is protected and would be removed.',
    );
  });

  it('names the protected message that comes first in the view', () => {
    const after = withChanged('m6', { content: 'x' }, withChanged('m1', { content: 'x' }).slice());
    const protectedIds = new Set(['m6', 'gone long ago', 'm1']);
    expect(objection({ after, protectedIds })).toContain('Message m1 is protected');
  });

  it('allows the last resort to clip a protected message, but not to hide it', () => {
    const clip = { content: 'f…', truncation: { fate: 'clip', originalTokens: 9 } } as const;
    const change = {
      after: withChanged('m6', clip),
      actions: [action('clip', ['m6'])],
      mayClipProtected: true,
    };
    const wouldChange = 'protected-changed: Message m6 is protected and would be changed.';
    expect(objection(change)).toBeUndefined();
    expect(objection({ ...change, mayClipProtected: false })).toBe(wouldChange);
    const hidden = { ...clip, truncation: { fate: 'hide' } } as const;
    expect(objection({ ...change, after: withChanged('m6', hidden) })).toBe(wouldChange);
    expect(objection({ ...change, after: before.slice(0, 5) })).toContain('would be removed');
  });

  it('objects to kept messages in a different order', () => {
    const swapped = [before[0]!, before[1]!, before[4]!, before[2]!, before[3]!, before[5]!];
    expect(objection({ after: swapped })).toBe(
      'order-changed: The plan would move message m3 to another place.',
    );
    const twice = [...before.slice(0, 2), before[1]!, ...before.slice(2)];
    expect(objection({ after: twice })).toBe(
      'order-changed: The plan would move message m2 to another place.',
    );
  });

  it('objects to a kept message that is missing or different', () => {
    const missing = 'order-changed: Message m5 was to be kept, but is missing or different.';
    expect(objection({ after: withChanged('m5', { content: 'x' }) })).toBe(missing);
    expect(objection({ after: before.filter(({ id }) => id !== 'm5') })).toBe(missing);
  });

  it('accepts equal copies of kept messages', () => {
    expect(objection({ after: structuredClone(proposal().after) })).toBeUndefined();
  });

  it('objects to a new message before the first planned change', () => {
    const slipped = [summary('hello'), ...proposal().after];
    expect(objection({ after: slipped })).toBe(
      'prefix-changed: Message m1 comes before the first planned change, but would be different.',
    );
  });

  describe('an insertion', () => {
    const insert = (after: string | null) => action('insert', [], { outputId: 'c1.1', after });
    const dropped = action('drop', ['m3', 'm4', 'm5'], { tokensAfter: 0 });

    it('is accepted at its planned position', () => {
      const after = [before[0]!, before[1]!, summary('found earlier'), ...before.slice(5)];
      expect(objection({ after, actions: [insert('m2'), dropped] })).toBeUndefined();
    });

    it('is refused before its planned position', () => {
      const after = [before[0]!, summary('found earlier'), before[1]!, ...before.slice(5)];
      expect(objection({ after, actions: [insert('m2'), dropped] })).toBe(
        'prefix-changed: Message m2 comes before the first planned change, but would be different.',
      );
    });

    it('is refused before or among the leading system messages', () => {
      const rules = [system('m0', 'who you are'), ...before];
      const hidden = [rules[0]!, ...proposal().after];
      const hide = action('hide', ['m4'], { outputId: 'm4' });
      for (const [position, behind] of [null, 'm0'].entries()) {
        const after = [...hidden.slice(0, position), summary('hello'), ...hidden.slice(position)];
        expect(objection({ before: rules, after, actions: [insert(behind), hide] })).toBe(
          `order-changed: A new message would come before the system message m${position}.`,
        );
      }
      const behindThem = [...hidden.slice(0, 2), summary('hello'), ...hidden.slice(2)];
      expect(objection({ before: rules, after: behindThem, actions: [insert('m1'), hide] })).toBeUndefined();
    });

    it('is refused without a text', () => {
      const after = [before[0]!, before[1]!, summary(' '), ...before.slice(5)];
      const gone = [before[0]!, before[1]!, ...before.slice(5)];
      const actions = [insert('m2'), dropped];
      expect(objection({ after: gone, actions })).toBe('summary-empty: The summary is empty.');
      expect(objection({ after, actions })).toContain('invalid-view: A provider would refuse the result.');
    });

    it('is accepted although it makes the view larger', () => {
      const after = [before[0]!, before[1]!, summary('found earlier'), ...before.slice(5)];
      const larger = { ...insert('m2'), tokensBefore: 0, tokensAfter: 20 };
      expect(objection({ after, actions: [larger, dropped] })).toBeUndefined();
    });
  });

  it('allows an unprotected copy of a system message to be removed', () => {
    const rules = [system('m0', 'rules'), ...before];
    const after = [rules[0]!, ...proposal().after.slice(1)];
    const actions = [action('drop', ['m1']), action('hide', ['m4'], { outputId: 'm4' })];
    const protectedIds = new Set(['m0', 'm6']);
    expect(objection({ before: rules, after, actions, protectedIds })).toBeUndefined();
  });

  describe('objects to a change that', () => {
    const hidden = { content: '[hidden]', truncation: { fate: 'hide' } } as const;

    it('affects more than the content', () => {
      expect(objection({ after: withChanged('m4', hidden) })).toBeUndefined();
      expect(objection({ after: withChanged('m4', { ...hidden, origin: 'person' }) })).toBe(
        'change-not-permitted: The plan would change more of message m4 than its text and its arguments.',
      );
    });

    it('does not match the planned action', () => {
      const clipped = { ...hidden, truncation: { fate: 'clip' } } as const;
      const wrongNote =
        'change-not-permitted: Message m4 would contain a wrong note about how it was changed.';
      expect(objection({ after: withChanged('m4', clipped) })).toBe(wrongNote);
      const actions = [action('hide', ['m4']), action('keep', ['m4'])];
      expect(objection({ after: withChanged('m4', hidden), actions })).toBeUndefined();
    });
  });

  it('objects to messages that are neither existing nor planned', () => {
    const fromNowhere = (id: string) =>
      `change-not-permitted: The plan adds message ${id}, which is not one of its summaries.`;
    const another = [...proposal().after.slice(0, 5), said('m9', 'hello'), before[5]!];
    expect(objection({ after: another })).toBe(fromNowhere('m9'));
    const change = summarised('so far');
    const after = change.after.map((message) =>
      message.id === 'c1.1' ? ({ ...message, origin: 'person' } as const) : message,
    );
    expect(objection({ ...change, after })).toBe(fromNowhere('c1.1'));
    const actions = change.actions.map((one) =>
      one.kind === 'summarise' ? action('drop', one.sourceIds, { outputId: 'c1.1' }) : one,
    );
    expect(objection({ ...change, actions })).toBe(fromNowhere('c1.1'));
  });

  it('objects to a missing summary', () => {
    const change = summarised('[x]');
    const after = change.after.filter(({ id }) => id !== 'c1.1');
    expect(objection({ ...change, after })).toBe('summary-empty: The summary is empty.');
  });

  it('objects to a summary that is not smaller than the replaced messages', () => {
    expect(objection(summarised('so far', { tokensAfter: 100 }))).toBe(
      'summary-inflated: The summary takes 100 tokens, but replaces only 100.',
    );
  });

  it.each([
    [300, 'not-smaller: The context would stay at 300 tokens.'],
    [301, 'not-smaller: The context would grow from 300 to 301 tokens.'],
  ])('objects to a view that is not smaller: %i tokens', (tokensAfter, expected) => {
    expect(objection({ tokensAfter })).toBe(expected);
  });

  it('objects to a view over the target only if the requirement is hard', () => {
    expect(objection({ requirement: 'hard' })).toBe(
      'over-target: The context would take 210 tokens, more than the target of 150.',
    );
    expect(objection({ requirement: 'hard', target: 210 })).toBeUndefined();
    expect(objection({ requirement: 'hard', target: undefined })).toBeUndefined();
  });
});
