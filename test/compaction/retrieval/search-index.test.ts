import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Passage } from '../../../src/compaction/retrieval/passages.ts';
import { createPassageIndex } from '../../../src/compaction/retrieval/search-index.ts';

function passages(...texts: readonly string[]): readonly Passage[] {
  return texts.map((text, index) => ({ messageId: `m${index + 1}`, role: 'tool', text }));
}

async function find(query: string, most: number, ...texts: readonly string[]): Promise<readonly string[]> {
  const index = await createPassageIndex();
  index.add(passages(...texts));
  return index.search(query, most).map(({ messageId }) => messageId);
}

describe('the passage index', () => {
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
    ['by the words that are rare', 'why does the rename fail with EBUSY', 'm3'],
    ['by a part of an identifier', 'lock rename', 'm3'],
    ['whatever the case', 'MKDIR', 'm2'],
  ])('finds English %s', async (_name, query, expected) => {
    expect((await find(query, 1, ...english))[0]).toBe(expected);
  });

  it.each([
    ['by a word', '日志压缩', 'm1'],
    ['by a question', '为什么重命名会失败？', 'm3'],
    ['by a single character, also at the end of a phrase', '锁', 'm2'],
  ])('finds Chinese %s', async (_name, query, expected) => {
    expect((await find(query, 1, ...chinese))[0]).toBe(expected);
  });

  it('finds nothing where no word occurs', async () => {
    expect(await find('kubernetes', 5, ...english)).toEqual([]);
  });

  it('puts the newer of two equal matches first', async () => {
    expect(await find('lock', 5, 'lock one', 'lock two')).toEqual(['m2', 'm1']);
  });

  it('shows the same text once', async () => {
    expect(await find('lock', 5, 'lock one', 'other', 'lock one')).toEqual(['m3']);
  });

  it('finds no more than asked for', async () => {
    expect(await find('lock', 2, 'lock one', 'lock two', 'lock three')).toHaveLength(2);
  });

  it('passes over what is not accepted', async () => {
    const index = await createPassageIndex();
    index.add(passages('lock one', 'lock two'));
    const found = index.search('lock', 5, ({ messageId }) => messageId !== 'm2');
    expect(found.map(({ messageId }) => messageId)).toEqual(['m1']);
  });

  it('finds what was added later', async () => {
    const index = await createPassageIndex();
    index.add(passages('lock one'));
    index.add([{ messageId: 'm9', role: 'user', text: 'flush' }]);
    expect(index.search('flush', 5).map(({ messageId }) => messageId)).toEqual(['m9']);
  });

  it('takes words that mean something to JavaScript for words', async () => {
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

  it('finds the same however the passages were added', async () => {
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
