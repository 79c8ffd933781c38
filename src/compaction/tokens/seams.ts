/** Bits that there are, as a power of two: forty for each that the largest vocabulary sets. */
const bitCountLog = 18;

/** The first byte of a character of three bytes; that of one of four bytes is higher. Seams are before these only. */
export const wideLead = 0xe0;

/**
 * The places of a text that byte pair encoding never joins across, as far as the bytes around them tell. A piece can be
 * cut there: its tokens are those of its parts, added up.
 *
 * The first two tokens that are joined across a place touch there, and are the two halves of a token of the vocabulary.
 * So a place is a seam if no two halves meet in the bytes around it: nothing is joined across it then, and what is
 * joined on one side does not depend on the other.
 *
 * Of the bytes where two halves meet, four are kept: two on either side, or one and three where the first half is a
 * single byte. Where the halves are too short for that, it is the two that touch. They set a bit by their hash. That
 * other bytes have the same hash only hides a seam, which costs time and changes no count.
 *
 * Seams are looked for where there are many: before characters of three and four bytes. Of the places between Chinese
 * characters, two thirds are seams.
 */
export class Seams {
  /** From these another thread makes the same. */
  readonly bits: Int32Array;

  constructor(bits: Int32Array = new Int32Array(2 ** bitCountLog / 32)) {
    this.bits = bits;
  }

  /**
   * Takes in two tokens that are the halves of another one.
   *
   * @param at where the second starts, with a wide character; the first is before it
   * @param before length of the first
   * @param after length of the second
   */
  join(bytes: Uint8Array, at: number, before: number, after: number): void {
    let met: number;
    if (before > 1 && after > 1) met = fourAt(bytes, at - 2);
    else if (before === 1 && after > 2) met = fourAt(bytes, at - 1);
    else met = bytes[at - 1]! | (bytes[at]! << 8);
    const index = indexOf(met);
    this.bits[index >>> 5]! |= 1 << index;
  }

  /** True if the place before a byte is a seam. @param at with two bytes before it in the piece */
  isSeam(bytes: Uint8Array, at: number): boolean {
    if (bytes[at]! < wideLead) return false;
    const twoAndTwo = fourAt(bytes, at - 2);
    const oneAndThree = (twoAndTwo >>> 8) | (bytes[at + 2]! << 24);
    const touching = oneAndThree & 0xffff;
    return !this.has(twoAndTwo) && !this.has(oneAndThree) && !this.has(touching);
  }

  private has(met: number): boolean {
    const index = indexOf(met);
    return (this.bits[index >>> 5]! & (1 << index)) !== 0;
  }
}

function fourAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

/** The high bits of a product with 2^32 divided by the golden ratio: Knuth, 6.4. */
function indexOf(met: number): number {
  return Math.imul(met, 0x9e3779b1) >>> (32 - bitCountLog);
}
