import { beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/message.ts';
import { createHistorySearch, type HistorySearch } from '../../../src/compaction/retrieval/history-search.ts';
import { append, transcriptOf, type Transcript } from '../../../src/compaction/transcript.ts';
import { called, entriesOf, result, said, system, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

const messages: readonly Message[] = [
  system('m1', 'be brief about the lock'),
  typed('m2', 'why does the lock hang?'),
  called('m3', ['a', 'read_file', { path: 'src/lock.ts' }]),
  result('m4', 'a', 'the lock is a folder made with mkdir'),
  said('m5', '锁文件没有被删除'),
  typed('m6', 'and the store?'),
];
const before = transcriptOf(entriesOf(messages));

/** The transcript after these messages were dropped. */
function without(transcript: Transcript, ...ids: readonly string[]): Transcript {
  const action = { kind: 'drop', sourceIds: ids, reason: 'test', tokensBefore: 0, tokensAfter: 0 } as const;
  return append(transcript, { type: 'compaction', record: recordWith(`c${ids.join()}`, [action], []) });
}

describe('the search of the history', () => {
  let search: HistorySearch;
  /** How many texts were counted, which is done once for each that is new. */
  let counted: number;
  beforeEach(() => {
    counted = 0;
    search = createHistorySearch((texts) => {
      counted += texts.length;
      return Promise.resolve(texts.map(({ length }) => Math.ceil(length / 4)));
    });
  });
  const idsFor = async (transcript: Transcript, query: string) =>
    (await search(transcript, query)).passages.map(({ messageId }) => messageId);

  it('finds nothing while everything is in view, and reads nothing', async () => {
    expect(await search(before, 'lock')).toEqual({ absent: 0, passages: [] });
    expect(counted).toBe(0);
  });

  it('finds what was dropped, and not what is still in view', async () => {
    const after = without(before, 'm3', 'm4');
    expect((await search(after, 'lock')).absent).toBe(2);
    expect(await idsFor(after, 'lock folder')).toEqual(['m4', 'm3']);
  });

  it('finds Chinese', async () => {
    expect(await idsFor(without(before, 'm5'), '锁文件')).toEqual(['m5']);
  });

  it('finds what was hidden or clipped', async () => {
    const hidden: Message = {
      ...messages[3]!,
      content: 'hidden',
      truncation: { fate: 'hide', originalTokens: 9 },
    };
    const action = {
      kind: 'hide',
      sourceIds: ['m4'],
      outputId: 'm4',
      reason: 'test',
      tokensBefore: 0,
      tokensAfter: 0,
    } as const;
    const after = append(before, { type: 'compaction', record: recordWith('c1', [action], [hidden]) });
    expect(await idsFor(after, 'mkdir')).toEqual(['m4']);
  });

  it('does not find what came back into view', async () => {
    const restored = append(without(before, 'm5'), {
      type: 'restore',
      createdAt: '2026-01-01T00:00:00.000Z',
      messageIds: ['m5'],
    });
    expect(await idsFor(restored, '锁文件')).toEqual([]);
  });

  it('reads each message once while the transcript grows, also for parallel searches', async () => {
    const after = without(before, 'm3', 'm4');
    await Promise.all([search(after, 'lock'), search(after, 'store')]);
    expect(counted).toBe(5);
    const grown = without(append(after, { type: 'message', message: said('m7', 'the store flushes') }), 'm5');
    expect(await idsFor(grown, 'mkdir')).toEqual(['m4']);
    expect(counted).toBe(6);
  });

  it('begins anew with another transcript', async () => {
    await search(without(before, 'm3', 'm4'), 'lock');
    const other = without(transcriptOf(entriesOf([typed('x1', 'flush'), said('x2', 'done')])), 'x1');
    expect(await idsFor(other, 'flush lock')).toEqual(['x1']);
  });

  it('does not find what was looked up before', async () => {
    const looked = [
      ...messages,
      called('m7', ['b', 'search_history', { query: 'mkdir' }]),
      result('m8', 'b', 'mkdir, says m4'),
    ];
    const after = without(transcriptOf(entriesOf(looked)), 'm3', 'm4', 'm7', 'm8');
    expect(await idsFor(after, 'mkdir')).toEqual(['m4']);
  });

  it('recovers from a counter that failed', async () => {
    let fails = true;
    const flaky = createHistorySearch((texts) =>
      fails ? Promise.reject(new Error('worker gone')) : Promise.resolve(texts.map(() => 1)),
    );
    const after = without(before, 'm3', 'm4');
    await expect(flaky(after, 'mkdir')).rejects.toThrow('worker gone');
    fails = false;
    expect((await flaky(after, 'mkdir')).passages).toHaveLength(1);
  });
});
