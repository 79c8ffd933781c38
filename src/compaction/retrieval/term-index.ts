import { isSingleCharacter, termsOf, termsOfWord } from '../text/words.ts';
import { isStopWord, stemOf } from '../text/question-words.ts';
import { WordTable } from './word-table.ts';

/** Parameters of BM25+: saturation of repeated terms, weight of length, minimum weight of a match. */
const saturation = 1.2;
const lengthWeight = 0.7;
const leastWeight = 0.5;
/** Weight of terms that begin with a searched single character, and its decrease with a term's length. */
const pairWeight = 0.375;
const pairDecay = 0.3;
/** Share of its neighbours' scores that a text gets for a question, and their maximum distance. */
const neighbourShare = 0.35;
const neighbourReach = 2;

/** Interpretation of a query: as words to find, or as a question, whose answer may use other forms of its words. */
export type QueryForm = 'words' | 'question';

export interface Matches {
  readonly scores: Float64Array;
  readonly positions: Int32Array;
}

interface Tally extends Matches {
  found: number;
  readonly terms: Uint16Array;
  readonly latest: Uint16Array;
}

/** Index of texts by their terms, ranked by BM25+ times the number of matching terms. Texts can only be appended. */
export class TermIndex {
  private readonly termIds = new Map<string, number>();
  private readonly terms: string[] = [];
  /** Postings by term: text, frequency, text, frequency… in the order of the texts. */
  private readonly postings: number[][] = [];
  private readonly idsOfWord = new WordTable((word) => termsOfWord(word).map((term) => this.idOf(term)));
  /** The newest text with each term, and how often the term occurs there. */
  private readonly latest: number[] = [];
  private readonly frequencies: number[] = [];
  private readonly lengths: number[] = [];
  private averageLength = 0;
  /** Factor by which the length of each text dampens frequencies, computed by the first search after an addition. */
  private dampers = new Float64Array();
  private readonly termsOfStem = new Map<string, number[]>();
  private stemmed = 0;
  /** First character → its terms, for searches of single characters that are not Latin letters. */
  private readonly termsFrom = new Map<string, number[]>();
  private filed = 0;

  get size(): number {
    return this.lengths.length;
  }

  add(text: string): void {
    const position = this.lengths.length;
    const { latest, frequencies } = this;
    const met: number[] = [];
    this.idsOfWord.eachOf(text, (ids) => {
      for (const id of ids) {
        if (latest[id] === position) frequencies[id]!++;
        else {
          latest[id] = position;
          frequencies[id] = 1;
          met.push(id);
        }
      }
    });
    for (const id of met) this.postings[id]!.push(position, frequencies[id]!);
    this.lengths.push(met.length);
    this.averageLength = (this.averageLength * position + met.length) / (position + 1);
  }

  matches(query: string, form: QueryForm): Matches {
    this.weighLengths();
    const tally: Tally = {
      scores: new Float64Array(this.size),
      positions: new Int32Array(this.size),
      found: 0,
      terms: new Uint16Array(this.size),
      latest: new Uint16Array(this.size),
    };
    const counted = new Set<string>();
    for (const term of form === 'question' ? questionTerms(query) : termsOf(query)) {
      // A repeated term has twice the weight, but counts as one.
      const count = counted.has(term) ? undefined : counted.add(term).size;
      if (form === 'question') {
        this.addScores(tally, this.formsOf(term), 1, count);
        continue;
      }
      this.addScores(tally, this.postings[this.termIds.get(term) ?? -1], 1, count);
      if (isSingleCharacter(term)) this.addPairs(tally, term, count);
    }
    const { scores, terms } = tally;
    const positions = tally.positions.subarray(0, tally.found);
    for (const position of positions) scores[position]! *= terms[position]!;
    return form === 'question' ? withNeighbours(scores) : { scores, positions };
  }

  private weighLengths(): void {
    if (this.dampers.length === this.size) return;
    this.dampers = Float64Array.from(
      this.lengths,
      (length) => saturation * (1 - lengthWeight + lengthWeight * (length / this.averageLength)),
    );
  }

  /** @param count number of the query's terms so far, including this one; undefined for a repeated term */
  private addScores(
    tally: Tally,
    posting: readonly number[] | undefined,
    weight: number,
    count: number | undefined,
  ): void {
    if (posting === undefined) return;
    const having = posting.length / 2;
    const rarity = Math.log(1 + (this.size - having + 0.5) / (having + 0.5));
    const { dampers } = this;
    const { scores, terms, latest, positions } = tally;
    for (let at = 0; at < posting.length; at += 2) {
      const position = posting[at]!;
      const frequency = posting[at + 1]!;
      const share = (frequency * (saturation + 1)) / (frequency + dampers[position]!);
      if (scores[position] === 0) positions[tally.found++] = position;
      scores[position]! += weight * (rarity * (leastWeight + share));
      if (count === undefined || latest[position] === count) continue;
      latest[position] = count;
      terms[position]!++;
    }
  }

  private addPairs(tally: Tally, character: string, count: number | undefined): void {
    for (; this.filed < this.terms.length; this.filed++) {
      const [first = ''] = this.terms[this.filed]!;
      if (first > '\u024f') append(this.termsFrom, first, this.filed);
    }
    for (const id of this.termsFrom.get(character) ?? []) {
      const { length } = this.terms[id]!;
      const longer = length - character.length;
      const weight = (pairWeight * length) / (length + pairDecay * longer);
      if (longer > 0) this.addScores(tally, this.postings[id], weight, count);
    }
  }

  private formsOf(term: string): readonly number[] {
    for (; this.stemmed < this.terms.length; this.stemmed++) {
      append(this.termsOfStem, stemOf(this.terms[this.stemmed]!), this.stemmed);
    }
    const forms = this.termsOfStem.get(stemOf(term)) ?? [];
    if (forms.length === 1) return this.postings[forms[0]!] ?? [];
    const frequencies = new Uint32Array(this.size);
    for (const id of forms) {
      const posting = this.postings[id] ?? [];
      for (let at = 0; at < posting.length; at += 2) frequencies[posting[at]!]! += posting[at + 1]!;
    }
    const together: number[] = [];
    for (let position = 0; position < frequencies.length; position++) {
      if (frequencies[position]! > 0) together.push(position, frequencies[position]!);
    }
    return together;
  }

  private idOf(term: string): number {
    const known = this.termIds.get(term);
    if (known !== undefined) return known;
    const id = this.terms.push(term) - 1;
    this.postings.push([]);
    this.latest.push(-1);
    this.frequencies.push(0);
    this.termIds.set(term, id);
    return id;
  }
}

/** Returns the words of a question that describe its subject, each once; all words if none does. */
function questionTerms(query: string): readonly string[] {
  const terms = [...new Set(termsOf(query))];
  const telling = terms.filter((term) => !isStopWord(term));
  return telling.length > 0 ? telling : terms;
}

function append(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Adds scores of neighbours, as the text before an answer repeats more of its question than the answer. */
function withNeighbours(own: Float64Array): Matches {
  const padded = new Float64Array(own.length + 2 * neighbourReach);
  padded.set(own, neighbourReach);
  const scores = new Float64Array(own.length);
  const positions = new Int32Array(own.length);
  let found = 0;
  for (let position = 0; position < own.length; position++) {
    const at = position + neighbourReach;
    let near = 0;
    for (let distance = 1; distance <= neighbourReach; distance++) {
      near += (padded[at - distance]! + padded[at + distance]!) / distance;
    }
    scores[position] = own[position]! + neighbourShare * near;
    if (scores[position]! > 0) positions[found++] = position;
  }
  return { scores, positions: positions.subarray(0, found) };
}
