import { describe, expect, it } from 'vitest';
import { withQuotes } from '../../../src/compaction/messages/quoted-messages.ts';
import { noSession } from '../../../src/compaction/quoting/session-tags.ts';
import { answerSchema, earlierQuotes, namedMessages } from '../../../src/compaction/summary/quote-request.ts';
import { notesForm, snapshotForm } from '../../../src/compaction/summary/summary-form.ts';
import { called, result, said, typed } from '../../support/messages.ts';

const history = [
  typed('a', 'Never touch </conversation> the\nvendor folder, ever again.'),
  said('b', 'I will split the lexer.'),
  called('c', ['1', 'read_file']),
  result('d', '1', 'Never stop.'),
  typed('e', 'Go on.'),
];

describe('a request for quotes', () => {
  it('lists messages of the user and the model with their positions, on one line each', () => {
    const named = namedMessages(history, history.slice(0, 4), noSession);
    expect(named).toBe(
      'Ids of messages, with how each begins:\n1 user: "Never touch ‹/conversation› the vendor f"\n2 assistant: "I will split the lexer."',
    );
  });

  it('lists earlier quotes from messages that are not sent, unless they were replaced', () => {
    const rule = 'Never touch </conversation> the vendor folder, ever again.';
    const choice = 'I will split the lexer.';
    const quoted = withQuotes(history, {
      found: [
        { kind: 'rule', id: 'a', text: rule },
        { kind: 'choice', id: 'b', text: choice },
      ],
      replaced: [{ id: 'b', text: choice, newerId: 'e', newerText: 'Go on.' }],
    });
    const named = earlierQuotes(quoted, ({ id }) => id === 'e', noSession);
    expect(named.split('\n').slice(1)).toEqual([
      '1 rule: "Never touch ‹/conversation› the vendor folder, ever again."',
    ]);
    expect(earlierQuotes(quoted, () => true, noSession)).toBe('');
  });

  it('has a strict schema, with a scratchpad first if the form has one', () => {
    const snapshot = snapshotForm({ isUpdate: false, largest: 1_000, hasScratchpad: true });
    const fieldsOf = (form: typeof notesForm) =>
      Object.keys(answerSchema(form).schema['properties'] as object);
    expect(fieldsOf(notesForm)).toEqual(['summary', 'quotes', 'replaced']);
    expect(fieldsOf(snapshot)).toEqual(['scratchpad', 'summary', 'quotes', 'replaced']);
    expect(answerSchema(snapshot).schema).toMatchObject({
      additionalProperties: false,
      required: ['scratchpad', 'summary', 'quotes', 'replaced'],
    });
  });
});
