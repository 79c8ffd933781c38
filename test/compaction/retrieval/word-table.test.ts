import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WordTable } from '../../../src/compaction/retrieval/word-table.ts';
import { writtenWords } from '../../../src/compaction/text/words.ts';

describe('a table of words', () => {
  it('finds the words of a text as the search does, in any script', () => {
    const character = fc.constantFrom('a', 'B', '1', '_', '$', ' ', '.', '\n', 'é', '端', 'ﬁ');
    fc.assert(
      fc.property(fc.array(fc.string({ unit: character })), (texts) => {
        const table = new WordTable((word) => word.normalize('NFKC'));
        const found: string[] = [];
        for (const text of texts) table.eachOf(text, (word) => found.push(word));
        expect(found).toEqual(texts.flatMap(writtenWords));
      }),
    );
  });

  it('asks for the value of a word once', () => {
    const asked: string[] = [];
    const table = new WordTable((word) => asked.push(word));
    const words = Array.from({ length: 2_000 }, (_, index) => `word${index}`);
    for (const text of [words.join(' '), words.join('\n'), `${words.join(' ')} 端口`])
      table.eachOf(text, () => {});
    expect(asked).toEqual([...words, '端口']);
  });
});
