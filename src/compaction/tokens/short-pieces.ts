/** Longest piece, in bytes: most words with the blank before them. */
export const longestShort = 12;

/** Pieces that there is room for: few enough to stay in the processor's cache. */
const most = 2 ** 14;
/** Numbers of an entry: the bytes of the piece in three, then its length and its tokens. */
const width = 4;
/** Numbers of the two entries that a piece may have, and how many such pairs there are, as a power of two. */
const pairWidth = 2 * width;
const pairBits = Math.log2(most / 2);

/** The bits of each of the three numbers that belong to a piece, by its length. */
const masks = new Int32Array(3 * (longestShort + 1)).map((_, index) => {
  const bytes = Math.min(4, Math.max(0, Math.floor(index / 3) - 4 * (index % 3)));
  return bytes === 4 ? -1 : 2 ** (8 * bytes) - 1;
});

/**
 * Counts of short pieces that were met lately. A piece is compared as three numbers, and a newer one takes the place of
 * the older of two (a two-way set-associative cache): nothing is searched for and no byte is looked at by itself.
 */
export class ShortPieces {
  private readonly entries = new Int32Array(width * most);
  private bytes = new Uint8Array(0);
  private view = new DataView(this.bytes.buffer);
  /** The entries for the piece that was asked about last, and what it is compared with. */
  private pair = 0;
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
    // Multiplied apart, so that no product waits for another one.
    const mixed = first ^ Math.imul(second, 0x85ebca77) ^ Math.imul(third ^ length, 0xc2b2ae3d);
    const pair = (Math.imul(mixed, 0x9e3779b1) >>> (32 - pairBits)) * pairWidth;
    for (let entry = pair; entry < pair + pairWidth; entry += width) {
      const count = entries[entry + 3]!;
      if (
        entries[entry] === first &&
        entries[entry + 1] === second &&
        entries[entry + 2] === third &&
        count >>> 8 === length
      ) {
        return count & 0xff;
      }
    }
    this.pair = pair;
    this.first = first;
    this.second = second;
    this.third = third;
    this.length = length;
    return 0;
  }

  /** Takes in the count of the piece that was asked about last. */
  learn(count: number): void {
    const { entries, pair } = this;
    for (let index = pair; index < pair + width; index++) entries[index + width] = entries[index]!;
    entries[pair] = this.first;
    entries[pair + 1] = this.second;
    entries[pair + 2] = this.third;
    entries[pair + 3] = (this.length << 8) | count;
  }
}
