import { mostBytesPerUnit, writeUtf8 } from './utf8.ts';

/** Number of bits as a power of two: forty for each bit that the largest vocabulary sets. */
const bitCountLog = 18;

/** Lowest first byte of a three-byte character. Split points exist only before characters of 3 or 4 bytes. */
export const wideLead = 0xe0;

/**
 * Positions of a text that byte pair encoding never joins across, as shown by the bytes around them. A piece
 * can be split there: its tokens are the sum of its parts' tokens.
 *
 * The first two tokens joined across a position touch there, and are the halves of a token of the vocabulary.
 * A position is therefore a split point if no two halves can meet in the bytes around it.
 *
 * Four bytes around the meeting of two halves are stored: two on either side, or one and three if the first
 * half is a single byte. For shorter halves, only the two bytes that touch are stored. Each group of bytes
 * sets a bit by its hash. A hash collision only hides a split point, which costs time but changes no count.
 *
 * Split points are searched only where they are frequent: before characters of three and four bytes. Two thirds of
 * the positions between Chinese characters are split points.
 */
export class SplitPoints {
  readonly bits: Int32Array;

  constructor(bits: Int32Array = new Int32Array(2 ** bitCountLog / 32)) {
    this.bits = bits;
  }

  /** Reads what `written` wrote. */
  static read(written: string): SplitPoints {
    const splitPoints = new SplitPoints();
    const digits = new Uint8Array(written.length + mostBytesPerUnit);
    const end = writeUtf8(written, 0, written.length, digits, 0);
    let index = 0;
    for (let at = 0; at < end; at++) {
      const digit = digits[at]! - lowestDigit;
      index += digit;
      if (digit < largestDigit) splitPoints.set(index);
    }
    return splitPoints;
  }

  /** Writes the distance of each bit from the one before, in digits that are added up. All but the last are largest. */
  get written(): string {
    let written = '';
    let distance = 0;
    for (let index = 0; index < 2 ** bitCountLog; index++, distance++) {
      if ((this.bits[index >>> 5]! & (1 << index)) === 0) continue;
      for (; distance >= largestDigit; distance -= largestDigit) written += digitOf(largestDigit);
      written += digitOf(distance);
      distance = 0;
    }
    return written;
  }

  /**
   * Adds two tokens that are the halves of another token.
   *
   * @param at start of the second token, with a wide character; the first token is before it
   * @param before length of the first token
   * @param after length of the second token
   */
  join(bytes: Uint8Array, at: number, before: number, after: number): void {
    let met: number;
    if (before > 1 && after > 1) met = fourAt(bytes, at - 2);
    else if (before === 1 && after > 2) met = fourAt(bytes, at - 1);
    else met = bytes[at - 1]! | (bytes[at]! << 8);
    this.set(indexOf(met));
  }

  /** True if the position before a byte is a split point; at least two bytes of the piece precede it. */
  isSplitPoint(bytes: Uint8Array, at: number): boolean {
    if (bytes[at]! < wideLead) return false;
    const twoAndTwo = fourAt(bytes, at - 2);
    const oneAndThree = (twoAndTwo >>> 8) | (bytes[at + 2]! << 24);
    const touching = oneAndThree & 0xffff;
    return !this.has(twoAndTwo) && !this.has(oneAndThree) && !this.has(touching);
  }

  private set(index: number): void {
    this.bits[index >>> 5]! |= 1 << index;
  }

  private has(met: number): boolean {
    const index = indexOf(met);
    return (this.bits[index >>> 5]! & (1 << index)) !== 0;
  }
}

/** Digits are printable ASCII without those that JavaScript escapes. */
const lowestDigit = '#'.charCodeAt(0);
const largestDigit = '['.charCodeAt(0) - lowestDigit;

function digitOf(value: number): string {
  return String.fromCharCode(lowestDigit + value);
}

function fourAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

/** Returns the high bits of the product with 2^32 divided by the golden ratio (Knuth, 6.4). */
function indexOf(met: number): number {
  return Math.imul(met, 0x9e3779b1) >>> (32 - bitCountLog);
}
