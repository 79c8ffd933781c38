import { describe, expect, it } from 'vitest';
import type { LedgerNotification } from '../../../src/protocol/inspector-ledger.ts';
import { receiveFacts } from '../../../webview/inspector/state/facts-answers.ts';
import { facts, factsAnswer, hits } from '../support/tab-fixtures.ts';

type Facts = Extract<LedgerNotification, { type: 'facts' }>;

const many = Array.from({ length: 5 }, (_, index) => ({ ...facts[2]!, text: `command ${index}` }));
const page = (from: number, shown: readonly (typeof facts)[number][], changes: Partial<Facts> = {}) =>
  ({ ...factsAnswer({ from, facts: shown, total: 5 }), ...changes }) as Facts;

describe('the facts that arrived', () => {
  it('are put together from portions', () => {
    const known = receiveFacts(receiveFacts({}, page(0, many.slice(0, 3))), page(3, many.slice(3)));
    expect(known.facts).toMatchObject({ facts: many, arrived: 5 });
  });

  it('stay in the list while it is read again', () => {
    const known = receiveFacts({}, page(0, many));
    expect(receiveFacts(known, page(0, many.slice(0, 2))).facts).toMatchObject({ facts: many, arrived: 2 });
  });

  it('are listed once if a new fact pushed them into the next portion', () => {
    const known = receiveFacts({}, page(0, many));
    const again = receiveFacts(known, page(0, [facts[0]!, ...many.slice(0, 2)]));
    expect(again.facts!.facts.filter(({ text }) => text === 'command 1')).toHaveLength(1);
  });

  it('are dropped with the filter that they passed, and with their session', () => {
    const known = receiveFacts({}, page(0, many));
    const filtered = page(0, [], { filter: { text: 'no' }, total: 0 });
    expect(receiveFacts(known, filtered).facts!.facts).toEqual([]);
    const other = receiveFacts(known, { type: 'archive-hits', sessionId: 'session-2', query: 'x', hits });
    expect(other).toEqual({ sessionId: 'session-2', hits: { query: 'x', hits, hasMore: undefined } });
  });

  it('keep the texts of their messages', () => {
    const text = {
      type: 'archive-text',
      sessionId: 'session-1',
      messageId: 'm1',
      text: 'said',
      isCut: false,
    } as const;
    expect(receiveFacts({}, text).texts?.get('m1')).toEqual({ text: 'said', isCut: false });
  });
});
