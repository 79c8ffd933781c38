import type { Vocabulary } from './vocabulary.ts';

/** Initial number of positions, and maximum number for which memory is kept for the next piece. */
const smallest = 64;
const largestKept = 2 ** 16;
const unknown = -1;

/**
 * Byte pair encoding of a piece that may still grow. The definition joins the neighbours with the lowest rank, the
 * leftmost first, until no neighbours form a token. The same result is found directly, by three facts:
 *
 * - Every beginning of a piece has one encoding. Without its last token, it is the encoding of the text before that
 *   token. So the last token of each beginning is enough, and later text changes none.
 * - Several tokens may match the end of a beginning. Only one of them is its last token: the one that encoding does
 *   not join with the last token before it.
 * - Whether two tokens stay apart does not depend on their context (`TokenPairs.areApart`).
 *
 * The longest token is tried first, and only the beginnings that are needed are computed. A piece of n bytes therefore
 * takes O(n), and each added byte O(1).
 *
 * Described by Hendrik van Antwerpen and Alexander Neubeck (GitHub blog, December 2024); also in GitHub’s rust-gems,
 * crates/bpe.
 */
export class PieceEncoding {
  private readonly vocabulary: Vocabulary;
  /** Last token and number of tokens of each beginning, by its length. */
  private lasts = new Int32Array(smallest).fill(unknown);
  private counts = new Int32Array(smallest);
  private longest = 0;

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  /**
   * Counts the tokens of a non-empty beginning of the piece, `length` bytes long.
   *
   * @param bytes bytes of the piece, at `start`; bytes of earlier calls must be unchanged
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

  /** Discards results for longer beginnings, because other bytes follow. */
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
