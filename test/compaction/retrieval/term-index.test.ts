import { describe, expect, it } from 'vitest';
import { type QueryForm, TermIndex } from '../../../src/compaction/retrieval/term-index.ts';

/** Positions of the texts that match, best first. */
function ranked(texts: readonly string[], query: string, form: QueryForm = 'words'): readonly number[] {
  const index = new TermIndex();
  for (const text of texts) index.add(text);
  const { scores, positions } = index.matches(query, form);
  return [...positions].toSorted((one, other) => scores[other]! - scores[one]!);
}

describe('a search for words', () => {
  it('ranks a text with rare words before a text with common words', () => {
    expect(ranked(['the store', 'the store and the lock', 'the store'], 'lock store')[0]).toBe(1);
  });

  it('finds identifiers by their parts', () => {
    expect(ranked(['readFileSync(path)', 'writes a file'], 'read sync')).toEqual([0]);
  });

  it('finds a single Chinese character at the beginning of a pair', () => {
    expect(ranked(['锁文件', '仓库'], '文')).toEqual([0]);
  });

  it('finds no other forms of a word', () => {
    expect(ranked(['she painted it'], 'painting')).toEqual([]);
  });
});

describe('a search for an answer', () => {
  it('finds other forms of a word', () => {
    expect(ranked(['she painted it', 'a dog'], 'who was painting?', 'question')[0]).toBe(0);
  });

  it('ignores words that only mark the question', () => {
    const texts = ['what did you do when you were there', 'a', 'b', 'c', 'the sunrise at the lake'];
    expect(ranked(texts, 'when did you see the sunrise', 'question')).not.toContain(0);
  });

  it('also finds the text next to a match', () => {
    const texts = ['anything else', 'a', 'b', 'c', 'How was the sunrise?', 'Breathtaking.'];
    expect(ranked(texts, 'what was the sunrise like', 'question')).toEqual(expect.arrayContaining([4, 5]));
  });

  it('searches for all words if the question has no other words', () => {
    expect(ranked(['who is it'], 'who is it', 'question')).toEqual([0]);
  });
});
