import { describe, expect, it } from 'vitest';
import { marksOf } from '../../../src/compaction/messages/sentence-marks.ts';
import {
  markedMessages,
  newestMarks,
  noMarks,
  validMarks,
  withMarkEntry,
} from '../../../src/compaction/transcript/valid-marks.ts';
import type { MarkEntry, TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import { entriesOf, typed } from '../../support/messages.ts';

const messages = [typed('m1', 'Keep comments. Use tabs.'), typed('m2', 'Use tabs.')];

function mark(sentence: string, change: Partial<MarkEntry> = {}): MarkEntry {
  return { type: 'mark', createdAt: '', messageIds: ['m1'], sentence, ...change };
}

function newestAfter(...entries: readonly TranscriptEntry[]) {
  return newestMarks(validMarks(entries));
}

describe('the marks of a session', () => {
  it('come only from its mark entries', () => {
    expect(validMarks(entriesOf(messages))).toBe(noMarks);
    expect(withMarkEntry(noMarks, entriesOf(messages)[0]!)).toBe(noMarks);
  });

  it('are the newest for each sentence, with the last marked sentence last', () => {
    const entries = [
      mark('Use tabs.', { as: 'rule' }),
      mark('Keep comments.', { as: 'rule' }),
      mark('Use tabs.', { as: 'struck', words: 'Use spaces.' }),
    ];
    expect(newestAfter(...entries)).toEqual([
      { sentence: 'Keep comments.', as: 'rule', words: undefined },
      { sentence: 'Use tabs.', as: 'struck', words: 'Use spaces.' },
    ]);
  });

  it('return to the previous mark if the newest mark is withdrawn, and keep the sentence', () => {
    const entries = [
      mark('Use tabs.', { as: 'rule' }),
      mark('Use tabs.', { as: 'struck' }),
      mark('Use tabs.'),
    ];
    expect(newestAfter(...entries)).toMatchObject([{ sentence: 'Use tabs.', as: 'rule' }]);
    expect(newestAfter(...entries, mark('Use tabs.'))).toEqual([
      { sentence: 'Use tabs.', as: undefined, words: undefined },
    ]);
    expect(newestAfter(mark('Use tabs.'))).toMatchObject([{ sentence: 'Use tabs.', as: undefined }]);
  });

  it('do not change in earlier states of the session', () => {
    const first = withMarkEntry(noMarks, mark('Use tabs.', { as: 'rule' }));
    withMarkEntry(first, mark('Use tabs.'));
    expect(newestMarks(first)).toMatchObject([{ as: 'rule' }]);
    expect(noMarks.size).toBe(0);
  });
});

describe('markedMessages', () => {
  const summary = { ...typed('c1.1', 'so far'), kind: 'summary' } as const;
  const ownOf = (entries: readonly TranscriptEntry[]) =>
    markedMessages([...messages, summary], validMarks(entries)).map((message) =>
      marksOf(message).own.map(({ sentence }) => sentence),
    );

  it('returns the same list without marks', () => {
    expect(markedMessages(messages, noMarks)).toBe(messages);
  });

  it('attaches each mark to the messages that contain its sentence', () => {
    const entries = [
      mark('Keep comments.', { as: 'rule' }),
      mark('Use tabs.', { as: 'rule', messageIds: ['m1', 'm2'] }),
    ];
    expect(ownOf(entries)).toEqual([['Keep comments.', 'Use tabs.'], ['Use tabs.'], []]);
  });

  it('attaches a mark to the first message if no message contains its sentence', () => {
    expect(ownOf([mark('Tests pass.', { as: 'rule', messageIds: [] })])).toEqual([['Tests pass.'], [], []]);
    const marks = validMarks([mark('Tests pass.', { messageIds: [] })]);
    expect(markedMessages([], marks)).toEqual([]);
  });

  it('attaches no mark for a sentence whose only mark was withdrawn', () => {
    expect(ownOf([mark('Use tabs.')])).toEqual([[], [], []]);
  });

  it('attaches the marks of the whole session only to summaries', () => {
    const marked = markedMessages([messages[0]!, summary], validMarks([mark('Use tabs.', { as: 'rule' })]));
    expect(marked.map((message) => marksOf(message).session.length)).toEqual([0, 1]);
  });
});
