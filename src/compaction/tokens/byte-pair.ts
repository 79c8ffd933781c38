/**
 * Number of tokens that byte pair encoding makes of a piece: again and again the neighbours with the lowest rank
 * are joined, the leftmost first, until no neighbours form a token.
 *
 * Candidates wait in a binary heap and the parts form a linked list, so a piece of n bytes takes O(n log n); a
 * search for the best pair in every round, as most implementations do it, takes O(n²).
 *
 * @param bytes the piece, one UTF-16 unit per byte
 */
export function countMergedTokens(bytes: string, table: RankTable): number {
  const length = bytes.length;
  if (length <= 1 || table.ranks.has(bytes)) return length === 0 ? 0 : 1;

  const next = new Int32Array(length + 1);
  const previous = new Int32Array(length + 1);
  /** Rank of the pair that starts at a part, or -1: a candidate whose rank is no longer this one is stale. */
  const pairRank = new Int32Array(length).fill(-1);
  for (let index = 0; index <= length; index++) {
    next[index] = index + 1;
    previous[index] = index - 1;
  }
  const candidates = new CandidateHeap();
  const offer = (start: number) => {
    const middle = next[start]!;
    const end = middle < length ? next[middle]! : length + 1;
    const rank =
      end <= length && end - start <= table.longest ? table.ranks.get(bytes.slice(start, end)) : undefined;
    pairRank[start] = rank ?? -1;
    if (rank !== undefined) candidates.push(rank, start);
  };
  for (let start = 0; start < length - 1; start++) offer(start);

  let parts = length;
  while (candidates.size > 0) {
    const { rank, start } = candidates.pop();
    if (pairRank[start] !== rank) continue;
    const middle = next[start]!;
    const end = next[middle]!;
    next[start] = end;
    previous[end] = start;
    pairRank[middle] = -1;
    parts--;
    offer(start);
    const before = previous[start]!;
    if (before >= 0) offer(before);
  }
  return parts;
}

/** Binary min-heap of pairs, ordered by rank, then by position. Both fit into one number, so keys compare fast. */
class CandidateHeap {
  private readonly keys: number[] = [];

  get size(): number {
    return this.keys.length;
  }

  push(rank: number, start: number): void {
    const key = rank * positionLimit + start;
    let index = this.keys.push(key) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const parentKey = this.keys[parent]!;
      if (parentKey <= key) break;
      this.keys[index] = parentKey;
      index = parent;
    }
    this.keys[index] = key;
  }

  pop(): { rank: number; start: number } {
    const top = this.keys[0]!;
    const key = this.keys.pop()!;
    const size = this.keys.length;
    let index = 0;
    while (size > 0) {
      let child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && this.keys[child + 1]! < this.keys[child]!) child++;
      const childKey = this.keys[child]!;
      if (key <= childKey) break;
      this.keys[index] = childKey;
      index = child;
    }
    if (size > 0) this.keys[index] = key;
    const start = top % positionLimit;
    return { rank: (top - start) / positionLimit, start };
  }
}

/** Ranks stay below 2^18 and positions below 2^32, so a key stays an exact integer (below 2^53). */
const positionLimit = 2 ** 32;

/** A vocabulary in the form js-tiktoken ships it. */
export interface RankFile {
  /** The split pattern, for `new RegExp(pat_str, 'ug')`. */
  readonly pat_str: string;
  readonly special_tokens: Readonly<Record<string, number>>;
  /** Lines of `! offset token token …`; tokens are base64 and ranked upwards from the offset. */
  readonly bpe_ranks: string;
}

/** Ranks by token. A token is a string of bytes: one UTF-16 unit from 0 to 255 for each byte. */
export interface RankTable {
  readonly ranks: ReadonlyMap<string, number>;
  /** Length of the longest token, in bytes. */
  readonly longest: number;
}

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const sextetOf = new Uint8Array(128);
for (let value = 0; value < base64Alphabet.length; value++) {
  sextetOf[base64Alphabet.charCodeAt(value)] = value;
}

export function parseRankTable(file: RankFile): RankTable {
  const ranks = new Map<string, number>();
  let longest = 0;
  for (const line of file.bpe_ranks.split('\n')) {
    if (line === '') continue;
    const [, offset, ...tokens] = line.split(' ');
    let rank = Number(offset);
    for (const token of tokens) {
      const bytes = decodeBase64(token);
      ranks.set(bytes, rank++);
      if (bytes.length > longest) longest = bytes.length;
    }
  }
  return { ranks, longest };
}

function decodeBase64(text: string): string {
  const end = text.indexOf('=');
  const length = end < 0 ? text.length : end;
  let bytes = '';
  let buffer = 0;
  let bits = 0;
  for (let index = 0; index < length; index++) {
    buffer = ((buffer << 6) | (sextetOf[text.charCodeAt(index)] ?? 0)) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += String.fromCharCode((buffer >> bits) & 0xff);
    }
  }
  return bytes;
}
