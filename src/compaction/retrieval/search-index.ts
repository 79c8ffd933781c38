import type { Passage } from './passages.ts';
import { isSingleCharacter, termsOfWord, wordsOf } from './terms.ts';

/** Passages that can be searched. */
export interface PassageIndex {
  /** Adds passages behind those that are there. */
  add(passages: readonly Passage[]): void;
  /**
   * The passages that match best, best first; of equal ones the newer, and the same text only once.
   *
   * @param most how many at most
   * @param accepts whether a passage may be among them
   */
  search(query: string, most: number, accepts?: (passage: Passage) => boolean): readonly Passage[];
}

/** An empty index that ranks by BM25. The library behind it is loaded with the first one. */
export async function createPassageIndex(): Promise<PassageIndex> {
  const { default: MiniSearch } = await import('minisearch');
  const passages: Passage[] = [];
  // The same words come again and again, and taking one apart takes longer than everything else.
  const known = new Map<string, readonly string[]>();
  const termsOf = (word: string): readonly string[] => {
    const terms = known.get(word) ?? termsOfWord(word);
    known.set(word, terms);
    return terms;
  };
  const engine = new MiniSearch<{ readonly position: number; readonly text: string }>({
    idField: 'position',
    fields: ['text'],
    tokenize: (text) => wordsOf(text).flatMap(termsOf),
    processTerm: (term) => term,
    searchOptions: { prefix: isSingleCharacter },
  });
  return {
    add(added) {
      engine.addAll(added.map(({ text }, index) => ({ position: passages.length + index, text })));
      passages.push(...added);
    },
    search(query, most, accepts = () => true) {
      const ranked = engine
        .search(query)
        .map(({ id, score }) => ({ position: id as number, score }))
        .sort((one, other) => other.score - one.score || other.position - one.position);
      const found: Passage[] = [];
      const texts = new Set<string>();
      for (const { position } of ranked) {
        if (found.length >= most) break;
        const passage = passages[position];
        if (passage === undefined || texts.has(passage.text) || !accepts(passage)) continue;
        texts.add(passage.text);
        found.push(passage);
      }
      return found;
    },
  };
}
