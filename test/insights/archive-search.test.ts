import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/compaction/messages/message.ts';
import { append, transcriptOf, type Transcript } from '../../src/compaction/transcript/transcript.ts';
import { createArchiveSearch, type ArchiveMatch } from '../../src/insights/archive-search.ts';
import { called, entriesOf, result, said, typed } from '../support/messages.ts';
import { recordWith } from '../support/records.ts';

const messages: readonly Message[] = [
  typed('u', 'why does the store lock hang?'),
  called('a1', ['c1', 'read_file', { path: 'src/lock.ts' }]),
  result('r1', 'c1', 'the lock is a folder made with mkdir'),
  said('a2', '锁文件没有被删除'),
];
const action = {
  kind: 'drop',
  sourceIds: ['a1', 'r1'],
  reason: 'test',
  tokensBefore: 0,
  tokensAfter: 0,
} as const;
const compacted = append(transcriptOf(entriesOf(messages)), {
  type: 'compaction',
  record: recordWith('k', [action], []),
});

const matched = ({ excerpt, ranges }: ArchiveMatch) =>
  ranges.map(({ start, end }) => excerpt.slice(start, end));

describe('the archive search', () => {
  const count = (texts: readonly string[]) =>
    Promise.resolve(texts.map(({ length }) => Math.ceil(length / 4)));
  const searchFor = createArchiveSearch(count);
  const search = (transcript: Transcript, query: string) => searchFor(transcript, query, 20);

  it('finds text inside and outside the context, and labels both', async () => {
    const matches = await search(compacted, 'lock');
    expect(matches.map(({ messageId, isInView }) => [messageId, isInView]).sort()).toEqual([
      ['a1', false],
      ['r1', false],
      ['u', true],
    ]);
  });

  it('does not label a message as in context if only a part of the message is in context', async () => {
    const long: Message = { ...typed('v', 'the beginning'), original: 'the beginning and the mkdir' };
    const [match] = await search(transcriptOf(entriesOf([long])), 'mkdir');
    expect(match).toMatchObject({ messageId: 'v', isInView: false });
  });

  it('marks the whole name if the query matches part of it', async () => {
    const [match] = await search(
      transcriptOf(entriesOf([said('a', 'call acquireLock, then lock it')])),
      'lock',
    );
    expect(matched(match!)).toEqual(['acquireLock', 'lock']);
  });

  it('marks matches inside Chinese text', async () => {
    const [match] = await search(compacted, '锁文件');
    expect(matched(match!)).toEqual(['锁文件']);
  });

  it('shows the text around a match, and never splits a character', async () => {
    const text = `${'😀'.repeat(200)} the mkdir ${'😀'.repeat(200)}`;
    const [match] = await search(transcriptOf(entriesOf([said('a', text)])), 'mkdir');
    expect(matched(match!)).toEqual(['mkdir']);
    expect(match?.excerpt).not.toMatch(/\p{Surrogate}/u);
    expect(match?.excerpt.length).toBeLessThan(250);
  });

  it('finds nothing for a query without words', async () => {
    expect(await search(compacted, '?!')).toEqual([]);
  });

  it('finds no more matches than requested', async () => {
    const many = transcriptOf(
      entriesOf(Array.from({ length: 30 }, (_, index) => said(`a${index}`, `lock ${index}`))),
    );
    expect(await searchFor(many, 'lock', 12)).toHaveLength(12);
    expect(await searchFor(many, 'lock', 100)).toHaveLength(30);
  });
});
