import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../src/compaction/ledger/extract.ts';
import type { Message } from '../../src/compaction/messages/message.ts';
import { conversationAbout, fateOf, supersessions } from '../../src/measures/superseded.ts';
import { typed } from '../support/messages.ts';

const one = supersessions[0]!;
const conversation = conversationAbout(one);
const written = (text: string): Message => ({ ...typed('s', text), origin: 'strategy', kind: 'summary' });

describe('a value that was replaced', () => {
  it('is current where the view says it and does not say that it was replaced', () => {
    expect(fateOf(one, conversation, conversation)).toEqual({ isNewKept: true, isStaleCurrent: true });
    const both = written(`- ${one.first}\n- ${one.later}`);
    expect(fateOf(one, conversation, [both])).toEqual({ isNewKept: true, isStaleCurrent: true });
  });

  it('is not where a line the compaction wrote names both, or the old one is gone', () => {
    const marked = written(`- ${one.first} → now: ${one.later}`);
    expect(fateOf(one, conversation, [...conversation, marked]).isStaleCurrent).toBe(false);
    expect(fateOf(one, conversation, [written(one.later)])).toEqual({
      isNewKept: true,
      isStaleCurrent: false,
    });
  });

  it.each(supersessions)('is marked in the ledger: $first → $later', (supersession) => {
    const { replaced } = extractLedger(conversationAbout(supersession));
    expect(replaced.map(({ text }) => text)).toEqual([supersession.first]);
  });
});
