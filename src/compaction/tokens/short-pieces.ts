/** Longest piece, in bytes: most words with the blank before them. */
export const longestShort = 12;

/** Pieces that there is room for: few enough to stay in the processor's cache. */
const most = 2 ** 13;
/** Numbers of an entry: the bytes of the piece in three, then its length and its tokens. */
const width = 4;

/** The bits of each of the three numbers that belong to a piece, by its length. */
const masks = new Int32Array(3 * (longestShort + 1)).map((_, index) => {
  const bytes = Math.min(4, Math.max(0, Math.floor(index / 3) - 4 * (index % 3)));
  return bytes === 4 ? -1 : 2 ** (8 * bytes) - 1;
});

/**
 * Counts of short pieces that were met lately. A piece is compared as three numbers, and a newer one takes the place of
 * an older one (a direct-mapped cache): nothing is searched for and no byte is looked at by itself.
 */
export class ShortPieces {
  private readonly entries = new Int32Array(width * most);
  private bytes = new Uint8Array(0);
  private view = new DataView(this.bytes.buffer);
  /** The entry of the piece that was asked about last, and what it is compared with. */
  private entry = 0;
  private first = 0;
  private second = 0;
  private third = 0;
  private length = 0;

  /**
   * Tokens of a piece, or 0 if it is not known.
   *
   * @param bytes at least `longestShort` from the start
   */
  countOf(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): number {
    if (bytes !== this.bytes) {
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    const { view, entries } = this;
    const length = end - start;
    const first = view.getInt32(start, true) & masks[3 * length]!;
    const second = view.getInt32(start + 4, true) & masks[3 * length + 1]!;
    const third = view.getInt32(start + 8, true) & masks[3 * length + 2]!;
    const hash = Math.imul(first ^ Math.imul(second ^ Math.imul(third ^ length, factor), factor), factor);
    const entry = (hash >>> 19) * width;
    const count = entries[entry + 3]!;
    if (
      entries[entry] === first &&
      entries[entry + 1] === second &&
      entries[entry + 2] === third &&
      count >>> 8 === length
    ) {
      return count & 0xff;
    }
    this.entry = entry;
    this.first = first;
    this.second = second;
    this.third = third;
    this.length = length;
    return 0;
  }

  /** Takes in the count of the piece that was asked about last. */
  learn(count: number): void {
    const { entries, entry } = this;
    entries[entry] = this.first;
    entries[entry + 1] = this.second;
    entries[entry + 2] = this.third;
    entries[entry + 3] = (this.length << 8) | count;
  }
}

/** 2^32 divided by the golden ratio, whose multiples are spread evenly: Knuth, 6.4. */
const factor = 0x9e3779b1;
