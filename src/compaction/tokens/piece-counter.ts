import { PieceEncoding } from './byte-pair.ts';
import { ByteStrings, hashOf } from './byte-strings.ts';
import { longestShort, ShortPieces } from './short-pieces.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Maximum size in bytes of a part whose count is cached. Longer parts rarely occur twice. */
const longestRemembered = 128;
const mostRemembered = 16_384;
const mostRememberedBytes = 2 ** 19;

/** Bytes that must be readable from the start of a piece, because a short piece is read with its maximum length. */
export const roomAfterStart = longestShort;

/**
 * Counts tokens of pieces. Short pieces are looked up or merged. Longer pieces are cut at split points or take linear time.
 */
export class PieceCounter {
  readonly vocabulary: Vocabulary;
  private readonly encoding: PieceEncoding;
  private readonly short = new ShortPieces();
  private readonly remembered = ByteStrings.withRoomFor(mostRemembered, mostRememberedBytes);
  private readonly counts = new Uint8Array(mostRemembered);

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
    this.encoding = new PieceEncoding(vocabulary);
  }

  /** Counts the tokens of a non-empty piece. @param bytes has `roomAfterStart` bytes or more from `start` */
  count(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): number {
    if (end - start === 1) return 1;
    return end - start > longestShort
      ? this.countBetweenSplitPoints(bytes, start, end)
      : this.countShort(bytes, start, end);
  }

  private countShort(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): number {
    const { vocabulary, short } = this;
    const known = short.countOf(bytes, start, end);
    if (known > 0) return known;
    const isToken = vocabulary.find(bytes, start, end, hashOf(bytes, start, end)) >= 0;
    const count = isToken ? 1 : vocabulary.merge(bytes, start, end);
    short.learn(count);
    return count;
  }

  private countBetweenSplitPoints(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): number {
    const { splitPoints } = this.vocabulary;
    let total = 0;
    let from = start;
    for (let at = start + 2; at < end; at++) {
      if (!splitPoints.isSplitPoint(bytes, at)) continue;
      total += this.countPart(bytes, from, at);
      from = at;
    }
    return total + this.countPart(bytes, from, end);
  }

  private countPart(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): number {
    return end - start > longestShort
      ? this.countLong(bytes, start, end)
      : this.countShort(bytes, start, end);
  }

  private countLong(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length > longestRemembered) return this.encode(bytes, start, length);
    const hash = hashOf(bytes, start, end);
    if (this.vocabulary.find(bytes, start, end, hash) >= 0) return 1;
    const { remembered, counts } = this;
    const known = remembered.find(bytes, start, end, hash);
    if (known >= 0) return counts[known]!;
    const count = this.encode(bytes, start, length);
    // Clearing everything is simpler than finding old pieces, and rare. Pieces in use are added again soon.
    if (!remembered.hasRoomFor(length)) remembered.clear();
    counts[remembered.size] = count;
    remembered.add(bytes, start, end, hash);
    return count;
  }

  private encode(bytes: Uint8Array, start: number, length: number): number {
    const count = this.encoding.count(bytes, start, length);
    this.encoding.forgetAfter(0);
    return count;
  }
}
