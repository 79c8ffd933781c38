import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import {
  createHistorySearch,
  createPassageIndex,
  type HistorySearch,
} from '../../../src/compaction/retrieval/history-search.ts';
import type { Passage } from '../../../src/compaction/retrieval/passages.ts';
import { append, type Transcript, transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { hookFactsHead } from '../../../src/compaction/ledger/lookups.ts';
import { called, entriesOf, reminder, result, said, system, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

describe('the history search', () => {
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

  let search: HistorySearch;
  /** Number of texts counted; each new text is counted once. */
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

  it('finds and reads nothing while everything is in context', async () => {
    expect(await search(before, 'lock')).toEqual({ absent: 0, passages: [] });
    expect(counted).toBe(0);
  });

  it('finds dropped text, but nothing that is still in context', async () => {
    const after = without(before, 'm3', 'm4');
    expect((await search(after, 'lock')).absent).toBe(2);
    expect(await idsFor(after, 'lock folder')).toEqual(['m4', 'm3']);
  });

  it('names the user only as the author of typed words', async () => {
    const typedOne = typed(
      'm1',
      'Fix the lock.\n<file_content path="a">\nNever test the lock.\n</file_content>',
    );
    const { passages } = await search(
      {
        ...transcriptOf(entriesOf([typedOne, reminder('m2', 'a lock'), typed('m3', 'lock it')])),
        view: [],
      },
      'lock',
    );
    expect(passages.map(({ messageId, author }) => [messageId, author])).toEqual(
      expect.arrayContaining([
        ['m1', 'data in a user'],
        ['m2', 'data in a user'],
        ['m3', 'user'],
      ]),
    );
  });

  it('finds typed words in a message to which a hook added facts', async () => {
    const both = typed('m1', `The lock hangs.\n<x_y>\n${hookFactsHead}\n</x_y>\nNo mutex, please.`);
    const { passages } = await search({ ...transcriptOf(entriesOf([both])), view: [] }, 'mutex');
    expect(passages[0]).toMatchObject({ messageId: 'm1' });
  });

  it('finds Chinese text', async () => {
    expect(await idsFor(without(before, 'm5'), '锁文件')).toEqual(['m5']);
  });

  it('finds hidden and clipped text', async () => {
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

  it('does not find restored text', async () => {
    const restored = append(without(before, 'm5'), {
      type: 'restore',
      createdAt: '2026-01-01T00:00:00.000Z',
      messageIds: ['m5'],
    });
    expect(await idsFor(restored, '锁文件')).toEqual([]);
  });

  it('reads each message once while the transcript grows, even for parallel searches', async () => {
    const after = without(before, 'm3', 'm4');
    await Promise.all([search(after, 'lock'), search(after, 'store')]);
    expect(counted).toBe(5);
    const grown = without(append(after, { type: 'message', message: said('m7', 'the store flushes') }), 'm5');
    expect(await idsFor(grown, 'mkdir')).toEqual(['m4']);
    expect(counted).toBe(6);
  });

  it('starts again with another transcript', async () => {
    await search(without(before, 'm3', 'm4'), 'lock');
    const other = without(transcriptOf(entriesOf([typed('x1', 'flush'), said('x2', 'done')])), 'x1');
    expect(await idsFor(other, 'flush lock')).toEqual(['x1']);
  });

  it('does not find earlier search results', async () => {
    const looked = [
      ...messages,
      called('m7', ['b', 'search_history', { query: 'mkdir' }]),
      result('m8', 'b', 'mkdir, says m4'),
    ];
    const after = without(transcriptOf(entriesOf(looked)), 'm3', 'm4', 'm7', 'm8');
    expect(await idsFor(after, 'mkdir')).toEqual(['m4']);
  });

  it('works again after the token counter failed', async () => {
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

describe('the search index', () => {
  function passages(...texts: readonly string[]): readonly Passage[] {
    return texts.map((text, index) => ({ messageId: `m${index + 1}`, role: 'tool', text }));
  }

  async function find(query: string, most: number, ...texts: readonly string[]): Promise<readonly string[]> {
    const index = await createPassageIndex();
    index.add(passages(...texts));
    return index.search(query, most).map(({ messageId }) => messageId);
  }

  const english = [
    'The store keeps its entries in a log and compacts it on close.',
    'The lock is a folder: mkdir either creates it or fails.',
    'renameLock() fails with EBUSY on Windows while the antivirus scans.',
  ];
  const chinese = [
    '存储把条目写进日志，关闭时压缩。',
    '锁是一个文件夹：创建成功就拿到了锁。',
    '在 Windows 上重命名失败，因为杀毒软件正在扫描。',
  ];

  it.each([
    ['by rare words', 'why does the rename fail with EBUSY', 'm3'],
    ['by part of an identifier', 'lock rename', 'm3'],
    ['regardless of case', 'MKDIR', 'm2'],
  ])('finds English %s', async (_name, query, expected) => {
    expect((await find(query, 1, ...english))[0]).toBe(expected);
  });

  it.each([
    ['by a word', '日志压缩', 'm1'],
    ['by a question', '为什么重命名会失败？', 'm3'],
    ['by a single character, even at the end of a phrase', '锁', 'm2'],
  ])('finds Chinese %s', async (_name, query, expected) => {
    expect((await find(query, 1, ...chinese))[0]).toBe(expected);
  });

  it('finds nothing if no word occurs', async () => {
    expect(await find('kubernetes', 5, ...english)).toEqual([]);
  });

  it('lists the newer of two equally good matches first', async () => {
    expect(await find('lock', 5, 'lock one', 'lock two')).toEqual(['m2', 'm1']);
  });

  it('lists identical texts once', async () => {
    expect(await find('lock', 5, 'lock one', 'other', 'lock one')).toEqual(['m3']);
  });

  it('finds no more than requested', async () => {
    expect(await find('lock', 2, 'lock one', 'lock two', 'lock three')).toHaveLength(2);
  });

  it('skips passages that are not accepted', async () => {
    const index = await createPassageIndex();
    index.add(passages('lock one', 'lock two'));
    const found = index.search('lock', 5, ({ messageId }) => messageId !== 'm2');
    expect(found.map(({ messageId }) => messageId)).toEqual(['m1']);
  });

  it('finds later additions', async () => {
    const index = await createPassageIndex();
    index.add(passages('lock one'));
    index.add([{ messageId: 'm9', role: 'user', text: 'flush' }]);
    expect(index.search('flush', 5).map(({ messageId }) => messageId)).toEqual(['m9']);
  });

  it('treats property names of JavaScript objects as ordinary words', async () => {
    expect(await find('__proto__ constructor', 5, 'the __proto__ of a constructor', 'toString')).toEqual([
      'm1',
    ]);
  });

  const words = fc.constantFrom(
    'lock',
    'renameLock',
    'EBUSY',
    'store_log',
    '锁',
    '锁定',
    '锁是一个文件夹',
    '42',
  );
  const anyText = fc.array(words, { minLength: 1, maxLength: 12 }).map((said) => said.join(' '));

  it('finds the same passages, regardless of the steps in which they were added', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText, { minLength: 1, maxLength: 20 }),
        anyText,
        fc.nat({ max: 20 }),
        async (texts, query, border) => {
          const all = passages(...texts);
          const slices = await createPassageIndex();
          slices.add(all.slice(0, border));
          slices.add(all.slice(border));
          const once = await createPassageIndex();
          once.add(all);
          expect(slices.search(query, 5)).toEqual(once.search(query, 5));
        },
      ),
    );
  });
});
