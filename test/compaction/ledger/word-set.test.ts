import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsInCut, wordsInEach, wordHashes } from '../../../src/compaction/ledger/word-set.ts';
import { textOfCut } from '../../../src/compaction/text/clip.ts';
import { cutsOfOneText } from '../../support/cuts.ts';

const text = fc
  .array(fc.constantFrom('store', 'a', '_b1', '$', ' ', '.', '/', '\n', '汉', '😀', 'Z9'), { maxLength: 60 })
  .map((parts) => parts.join(''));

describe('the words of a text', () => {
  it('are all in the set of the text, and in the set of all texts', () => {
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const { each, all } = wordsInEach(texts);
        for (const [index, some] of texts.entries()) {
          expect([each[index]!, all].map((words) => words.hasAll(wordHashes(some)))).toEqual([true, true]);
        }
      }),
    );
  });

  it('are in the set of a cut text, even if the cut divides or joins words', () => {
    fc.assert(
      fc.property(cutsOfOneText(text, text), (cuts) => {
        for (const cut of cuts) expect(wordsInCut(cut).hasAll(wordHashes(textOfCut(cut)))).toBe(true);
      }),
    );
  });

  it('are sequences of letters and digits, the longest first', () => {
    expect(wordHashes('a/store-22.css')).toEqual(['store', 'css', '22', 'a'].flatMap(wordHashes));
  });

  it('are rarely found in the set of a text without them', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `name${index}`);
    const others = Array.from({ length: 1_000 }, (_, index) => `other${index}`);
    const joined = names.join(' ');
    const words = wordsInEach([joined]).all;
    expect(others.filter((other) => words.hasAll(wordHashes(other))).length).toBeLessThan(300);
  });
});
