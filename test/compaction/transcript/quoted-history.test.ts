import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import type { Quotes, QuoteKind } from '../../../src/compaction/messages/quote.ts';
import type { RecordedAction } from '../../../src/compaction/records/record.ts';
import { quotedHistory } from '../../../src/compaction/transcript/quoted-history.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import { entriesOf, said, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

const history = [typed('m1', 'Keep comments. Which port?'), said('m2', '8080.')];

function quotesWith(kind: QuoteKind, text: string): Quotes {
  return { found: [{ kind, id: 'm1', text }], replaced: [] };
}

/** A compaction that wrote a summary and inserted a note; both carry quotes. */
function compaction(id: string, quotes: Quotes | undefined, noted?: Quotes): TranscriptEntry {
  const action = (kind: RecordedAction['kind'], outputId: string): RecordedAction => ({
    kind,
    sourceIds: [],
    outputId,
    reason: 'test',
    tokensBefore: 1,
    tokensAfter: 1,
  });
  const output = (outputId: string, carried: Quotes | undefined): Message => ({
    ...typed(outputId, 'so far'),
    origin: 'strategy',
    kind: 'summary',
    ...(carried && { carried: { quotes: carried } }),
  });
  return {
    type: 'compaction',
    record: recordWith(
      id,
      [action('summarise', `${id}.1`), action('insert', `${id}.2`)],
      [output(`${id}.1`, quotes), output(`${id}.2`, noted)],
    ),
  };
}

const quoted = (...entries: readonly TranscriptEntry[]) =>
  quotedHistory({ entries: [...entriesOf(history), ...entries] }).map(({ quotes }) =>
    quotes?.found.map(({ text }) => text),
  );

describe('quotedHistory', () => {
  it('contains the original messages, without quotes if no summary has quotes', () => {
    expect(quotedHistory({ entries: entriesOf(history) })).toEqual(history);
    expect(quoted(compaction('c1', undefined))).toEqual([undefined, undefined]);
  });

  it('contains the quotes of summaries, but not of other added messages', () => {
    const rule = quotesWith('rule', 'Keep comments.');
    expect(quoted(compaction('c1', rule, quotesWith('rule', 'Which port?')))).toEqual([
      ['Keep comments.'],
      undefined,
    ]);
    expect(quoted(compaction('c1', undefined, rule))).toEqual([undefined, undefined]);
  });

  it('omits a question that a later summary does not quote, but keeps rules', () => {
    const earlier = compaction('c1', quotesWith('question', 'Which port?'));
    const later = compaction('c2', quotesWith('rule', 'Keep comments.'));
    expect(quoted(earlier)).toEqual([['Which port?'], undefined]);
    expect(quoted(earlier, later)).toEqual([['Keep comments.'], undefined]);
    expect(quoted(later, earlier)).toEqual([['Keep comments.', 'Which port?'], undefined]);
  });

  it('leaves out the quotes of an undone compaction', () => {
    const undo: TranscriptEntry = { type: 'undo', createdAt: '', recordIds: ['c1'] };
    expect(quoted(compaction('c1', quotesWith('rule', 'Keep comments.')), undo)).toEqual([
      undefined,
      undefined,
    ]);
  });
});
