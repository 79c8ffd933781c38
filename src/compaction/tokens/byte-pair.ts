import type { Vocabulary } from './vocabulary.ts';

/** Positions to begin with, and the most whose room is kept for the next piece. */
const smallest = 64;
const largestKept = 2 ** 16;
const unknown = -1;

/**
 * Byte pair encoding of a piece that may still grow. It joins again and again the neighbours with the lowest rank, the
 * leftmost first, until no neighbours form a token; the outcome is found here without doing so, by three facts:
 *
 * - Every beginning of a piece has one encoding, and the encoding of what is before its last token is that encoding
 *   without the last token. So it is enough to know the last token of each beginning, and what follows changes none.
 * - Of the tokens that a beginning ends with, exactly one is its last: the one that encoding leaves apart from the last
 *   token of what is before it.
 * - Two tokens either stay apart or not, whatever is around them (`TokenPairs.areApart`).
 *
 * The longest token is tried first, and only beginnings that are asked about are looked at, so that a piece of n bytes
 * takes O(n), and each byte that is added to it O(1).
 *
 * As Hendrik van Antwerpen and Alexander Neubeck describe it (GitHub blog, December 2024), and as in GitHub’s
 * rust-gems, crates/bpe.
 */
export class PieceEncoding {
  private readonly vocabulary: Vocabulary;
  /** By the length of the beginning: its last token, and the number of its tokens. */
  private lasts = new Int32Array(smallest).fill(unknown);
  private counts = new Int32Array(smallest);
  /** Length of the longest beginning that is known. */
  private longest = 0;

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  /**
   * Tokens of the beginning of the piece that is `length` bytes long, which is not empty.
   *
   * @param bytes the bytes of the piece, at `start`; those that it was asked about before are still the same
   */
  count(bytes: Uint8Array, start: number, length: number): number {
    this.makeRoomFor(length);
    const { vocabulary, lasts, counts } = this;
    const { pairs } = vocabulary;
    this.longest = Math.max(this.longest, length);
    if (lasts[length] !== unknown) return counts[length]!;
    /** Beginnings that wait for a shorter one, and the last token that each may have. */
    let depth = 0;
    lengths[0] = length;
    candidates[0] = vocabulary.findTail(bytes, start, start + length);
    for (;;) {
      const end = lengths[depth]!;
      const token = candidates[depth]!;
      const before = end - vocabulary.lengthOf(token);
      if (before > 0 && lasts[before] === unknown) {
        if (++depth === lengths.length) [lengths, candidates] = [doubled(lengths), doubled(candidates)];
        lengths[depth] = before;
        candidates[depth] = vocabulary.findTail(bytes, start, start + before);
      } else if (before === 0 || pairs.areApart(lasts[before]!, token)) {
        lasts[end] = token;
        counts[end] = before === 0 ? 1 : counts[before]! + 1;
        if (depth-- === 0) return counts[end];
      } else {
        candidates[depth] = vocabulary.shorterTail(token, bytes, start + before, start + end);
      }
    }
  }

  /** Forgets what it knows of beginnings longer than this, because other bytes follow. */
  forgetAfter(length: number): void {
    if (length === 0 && this.lasts.length > largestKept) {
      this.lasts = new Int32Array(smallest).fill(unknown);
      this.counts = new Int32Array(smallest);
    } else if (this.longest > length) this.lasts.fill(unknown, length + 1, this.longest + 1);
    this.longest = Math.min(this.longest, length);
  }

  private makeRoomFor(length: number): void {
    if (length < this.lasts.length) return;
    const room = Math.max(length + 1, 2 * this.lasts.length);
    const [lasts, counts] = [new Int32Array(room).fill(unknown), new Int32Array(room)];
    lasts.set(this.lasts);
    counts.set(this.counts);
    [this.lasts, this.counts] = [lasts, counts];
  }
}

let lengths = new Int32Array(smallest);
let candidates = new Int32Array(smallest);

function doubled(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
