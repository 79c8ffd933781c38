import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import type { Quotes } from '../../../src/compaction/messages/quote.ts';
import { laterQuotes, withQuotes } from '../../../src/compaction/messages/quoted-messages.ts';
import { said, typed } from '../../support/messages.ts';

const history = [
  typed('a', 'Tabs are what we use. Files are named in kebab-case.'),
  said('b', 'A queue holds the writes. Which port is it?'),
  typed('c', 'Two blanks are what we use.'),
  said('d', 'A log holds the writes.'),
  typed('e', 'Tabs are what we use.'),
];
const tabs = 'Tabs are what we use.';
const blanks = 'Two blanks are what we use.';

const factsOf = (quotes: Partial<Quotes>) =>
  extractLedger(withQuotes(history, { found: [], replaced: [], ...quotes }));

describe('verified quotes', () => {
  it('become facts of their kind in the ledger', () => {
    const facts = factsOf({
      found: [
        { kind: 'rule', id: 'a', text: 'Files are named in kebab-case.' },
        { kind: 'preference', id: 'c', text: blanks },
        { kind: 'choice', id: 'd', text: 'A log holds the writes.' },
        { kind: 'question', id: 'b', text: 'Which port is it?' },
      ],
    });
    expect(facts).toMatchObject({
      constraints: ['Files are named in kebab-case.'],
      preferences: [blanks],
      choices: ['A log holds the writes.'],
      questions: ['Which port is it?'],
    });
  });

  it('are replaced by later quotes, and are listed as replaced if they are the user’s', () => {
    const facts = factsOf({
      found: [
        { kind: 'decision', id: 'a', text: tabs },
        { kind: 'decision', id: 'c', text: blanks },
        { kind: 'choice', id: 'b', text: 'A queue holds the writes.' },
      ],
      replaced: [
        { id: 'a', text: tabs, newerId: 'c', newerText: blanks },
        { id: 'b', text: 'A queue holds the writes.', newerId: 'd', newerText: 'A log holds the writes.' },
      ],
    });
    expect(facts).toMatchObject({ decisions: [blanks], choices: [], replaced: [{ text: tabs, by: blanks }] });
    expect(facts.requests[0]).toBe('Files are named in kebab-case.');
  });

  it('are valid again if they are repeated', () => {
    const facts = factsOf({
      found: [
        { kind: 'decision', id: 'c', text: blanks },
        { kind: 'decision', id: 'e', text: tabs },
      ],
      replaced: [
        { id: 'a', text: tabs, newerId: 'c', newerText: blanks },
        { id: 'c', text: blanks, newerId: 'e', newerText: tabs },
      ],
    });
    expect(facts).toMatchObject({ decisions: [tabs], replaced: [{ text: blanks, by: tabs }] });
  });

  it('stay until they are replaced, except questions and steps, which must be quoted each time', () => {
    const first: Quotes = {
      found: [
        { kind: 'rule', id: 'a', text: tabs },
        { kind: 'question', id: 'b', text: 'Which port is it?' },
      ],
      replaced: [],
    };
    const later = laterQuotes(first, { found: [], replaced: [] });
    expect(later.found).toEqual([first.found[0]]);
  });
});
