import { PieceEncoding } from './byte-pair.ts';
import { ByteStrings, hashOf } from './byte-strings.ts';
import { mostQueued } from './merge-queue.ts';
import { longestShort, ShortPieces } from './short-pieces.ts';
import { wideLead } from './split-points.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Maximum size in bytes of a part whose count is cached, so that counts fit in a byte. A line of 80 `─` has 240 bytes. */
const longestRemembered = 255;
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
    const { splitPoints } = this.vocabulary;
    // Split points are before wide characters. A piece that ends with another character rarely has any.
    const isWide = end - start > longestShort && (bytes[end - 3]! >= wideLead || bytes[end - 4]! >= wideLead);
    let total = 0;
    let from = start;
    for (let at = isWide ? start + 2 : end; at <= end; at++) {
      if (at < end && !splitPoints.isSplitPoint(bytes, at)) continue;
      total += at - from > longestShort ? this.countLong(bytes, from, at) : this.countShort(bytes, from, at);
      from = at;
    }
    return total;
  }

  private countShort(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): number {
    const known = this.short.countOf(bytes, start, end);
    if (known > 0) return known;
    const count = this.vocabulary.merge(bytes, start, end);
    this.short.learn(count);
    return count;
  }

  private countLong(bytes: Uint8Array, start: number, end: number): number {
    const { remembered, counts, vocabulary } = this;
    const length = end - start;
    if (length > mostQueued) {
      return vocabulary.mergeRuns(bytes, start, end) || this.encode(bytes, start, length);
    }
    if (length > longestRemembered) return vocabulary.merge(bytes, start, end);
    const hash = hashOf(bytes, start, end);
    const known = remembered.find(bytes, start, end, hash);
    if (known >= 0) return counts[known]!;
    const count = vocabulary.merge(bytes, start, end);
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
