import { describe, expect, it } from 'vitest';
import { spokenFacts } from '../../../src/compaction/ledger/spoken-facts.ts';
import { emptyLedger, type Ledger } from '../../../src/compaction/messages/ledger.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { said, typed } from '../../support/messages.ts';

const summary = (id: string, ledger: Partial<Ledger>): Message => ({
  ...typed(id, 'notes'),
  origin: 'strategy',
  kind: 'summary',
  carried: { ledger: { ...emptyLedger, ...ledger } },
});

describe('a rule', () => {
  const review = typed('m1', 'Review the newest commit. Do not edit files.');

  it('is valid until the next request if it is about one request', () => {
    expect(spokenFacts([review]).constraints).toEqual(['Do not edit files.']);
    expect(spokenFacts([review, typed('m2', 'ok, go on')]).constraints).toEqual(['Do not edit files.']);
    expect(spokenFacts([review, typed('m2', 'Now fix what you found.')]).constraints).toEqual([]);
  });

  it('is valid until the next request, even after a compaction', () => {
    const carried = summary('s1', {
      requests: [review.content as string],
      constraints: ['Do not edit files.'],
    });
    expect(spokenFacts([carried]).constraints).toEqual(['Do not edit files.']);
    expect(spokenFacts([carried, typed('m2', 'Now fix what you found.')]).constraints).toEqual([]);
  });

  it.each(['Review it. Never edit files.', 'Do not edit files.', 'Review it. From now on, do not commit.'])(
    'is valid for later requests if it says so or is a message of its own: %s',
    (text) => {
      const { constraints } = spokenFacts([typed('m1', text), typed('m2', 'Now fix what you found.')]);
      expect(constraints).toHaveLength(1);
    },
  );
});

describe('a choice of an option', () => {
  const offer = said('m2', 'Option 1: wait\nOption 2: retry twice');

  it('is a decision that names the option', () => {
    expect(spokenFacts([typed('m1', 'How?'), offer, typed('m3', 'option 2')]).decisions).toEqual([
      "option 2 (of the assistant's reply: “Option 2: retry twice”)",
    ]);
  });

  it('is not a decision if the last reply does not list the option', () => {
    const others = [offer, typed('m3', 'Why?'), said('m4', 'It is safer.'), typed('m5', 'option 2')];
    expect(spokenFacts(others).decisions).toEqual([]);
  });
});
