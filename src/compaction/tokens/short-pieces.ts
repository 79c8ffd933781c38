/** Maximum size of a short piece, in bytes. Covers most words with the blank before them. */
export const longestShort = 12;

/** Number of stored pieces, small enough to stay in the processor's cache. */
const most = 2 ** 14;
/** Numbers per entry: three with the bytes of the piece, one with its length and its tokens. */
const width = 4;
/** Numbers of the two entries that a piece may have, and the number of such pairs, as a power of two. */
const pairWidth = 2 * width;
const pairBits = Math.log2(most / 2);

/** Bits of the three numbers that belong to a piece, by its length. */
const masks = new Int32Array(3 * (longestShort + 1)).map((_, index) => {
  const bytes = Math.min(4, Math.max(0, Math.floor(index / 3) - 4 * (index % 3)));
  return bytes === 4 ? -1 : 2 ** (8 * bytes) - 1;
});

/** Counts of recent short pieces in a two-way set-associative cache, compared as three numbers. */
export class ShortPieces {
  private readonly entries = new Int32Array(width * most);
  private bytes = new Uint8Array(0);
  private view = new DataView(this.bytes.buffer);
  /** Index of the entries for the last piece, and its numbers for the comparison. */
  private pair = 0;
  private first = 0;
  private second = 0;
  private third = 0;
  private length = 0;

  /** Returns the tokens of a piece, or 0 if unknown. `bytes` has at least `longestShort` bytes from the start. */
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
    // Multiplied separately, so that no product waits for another.
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

  learn(count: number): void {
    const { entries, pair } = this;
    for (let index = pair; index < pair + width; index++) entries[index + width] = entries[index]!;
    entries[pair] = this.first;
    entries[pair + 1] = this.second;
    entries[pair + 2] = this.third;
    entries[pair + 3] = (this.length << 8) | count;
  }
}
