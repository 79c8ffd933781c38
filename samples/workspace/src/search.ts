import type { Note } from './note.ts';

// TODO: the index is built anew at every start. Storing it pays from some ten thousand notes on, but then it has to be
// told apart from an index of an older log.

/** A note that matches, and how well. Scores only mean something next to each other. */
export interface Match {
  readonly note: Note;
  readonly score: number;
}

/** How quickly more of the same word stops to matter (BM25's k1), and how much long notes pay for it (its b). */
const saturation = 1.2;
const lengthPenalty = 0.6;

/** A tag says what a note is about, so a word in it counts as if it were there this often. */
const tagWeight = 2;

/** A single Chinese character is a weak hint next to a pair of them. */
const singleCharacterWeight = 0.5;

/** A word that was only begun matches less than the whole word. */
const prefixWeight = 0.4;

interface Term {
  readonly text: string;
  readonly weight: number;
}

interface Posting {
  readonly document: number;
  readonly frequency: number;
}

/**
 * Ranks notes by relevance (BM25). English is split into words, Chinese, Japanese and Korean into pairs of
 * neighbouring characters, because they write no blanks between words.
 */
export class SearchIndex {
  private readonly notes: readonly Note[];
  private readonly postings = new Map<string, Posting[]>();
  private readonly lengths: readonly number[];
  private readonly averageLength: number;
  /** Every word of the index in order, so that those with a prefix stand together. */
  private readonly vocabulary: readonly string[];

  constructor(notes: readonly Note[]) {
    this.notes = notes;
    this.lengths = notes.map((note, document) => this.add(note, document));
    this.averageLength = this.lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, notes.length);
    this.vocabulary = [...this.postings.keys()].sort();
  }

  /** The notes that hold at least one of the words, the best match first, equally good ones newest first. */
  search(query: string, limit = 10): readonly Match[] {
    const scores = new Map<number, number>();
    for (const { text, weight } of this.expand(termsOf(query))) {
      const postings = this.postings.get(text) ?? [];
      const rarity = this.rarity(postings.length);
      for (const { document, frequency } of postings) {
        const score = weight * rarity * this.saturate(frequency, document);
        scores.set(document, (scores.get(document) ?? 0) + score);
      }
    }
    return [...scores]
      .sort(([first, firstScore], [second, secondScore]) => secondScore - firstScore || second - first)
      .slice(0, limit)
      .map(([document, score]) => ({ note: this.notes[document]!, score }));
  }

  /** @returns the length of the note, in weighted terms */
  private add(note: Note, document: number): number {
    const frequencies = new Map<string, number>();
    const count = ({ text, weight }: Term): void => {
      frequencies.set(text, (frequencies.get(text) ?? 0) + weight);
    };
    for (const term of termsOf(note.text)) count(term);
    for (const tag of note.tags) {
      for (const { text, weight } of termsOf(tag)) count({ text, weight: weight * tagWeight });
    }
    let length = 0;
    for (const [text, frequency] of frequencies) {
      length += frequency;
      const postings = this.postings.get(text);
      if (postings === undefined) this.postings.set(text, [{ document, frequency }]);
      else postings.push({ document, frequency });
    }
    return length;
  }

  /** Adds the words that the last word of the query could become: people search while they type. */
  private expand(terms: readonly Term[]): readonly Term[] {
    const last = terms.at(-1);
    if (last === undefined || last.text.length < 3) return terms;
    const longer = this.withPrefix(last.text).filter((text) => text !== last.text);
    return [...terms, ...longer.map((text) => ({ text, weight: prefixWeight }))];
  }

  /** Binary search for the first word that is not before the prefix, then on while it fits. */
  private withPrefix(prefix: string): readonly string[] {
    let low = 0;
    let high = this.vocabulary.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.vocabulary[middle]! < prefix) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (this.vocabulary[end]?.startsWith(prefix) === true) end += 1;
    return this.vocabulary.slice(low, end);
  }

  /** Words that few notes have tell more. The 1 keeps a word that all notes have from counting against them. */
  private rarity(documents: number): number {
    return Math.log(1 + (this.notes.length - documents + 0.5) / (documents + 0.5));
  }

  private saturate(frequency: number, document: number): number {
    const relativeLength = this.lengths[document]! / Math.max(1, this.averageLength);
    const damping = saturation * (1 - lengthPenalty + lengthPenalty * relativeLength);
    return (frequency * (saturation + 1)) / (frequency + damping);
  }
}

/** Words of scripts with blanks, and runs of characters of those without. */
const chunks = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}_]+/gu;
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Splits a text into the terms it is found by, in order. */
export function termsOf(text: string): readonly Term[] {
  const normal = text.normalize('NFKC').toLowerCase();
  return [...normal.matchAll(chunks)].flatMap(([chunk]): readonly Term[] => {
    if (!unspaced.test(chunk)) return [{ text: stem(chunk), weight: 1 }];
    const characters = Array.from(chunk);
    const pairs = characters.slice(1).map((character, index) => characters[index]! + character);
    return [
      ...characters.map((character) => ({ text: character, weight: singleCharacterWeight })),
      ...pairs.map((pair) => ({ text: pair, weight: 1 })),
    ];
  });
}

/**
 * Takes an English plural back to its singular. A real stemmer would do more, and would also find "university" for
 * "universe": for short notes the plural is what one misses.
 */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}
