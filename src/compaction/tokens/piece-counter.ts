import { PieceEncoding } from './byte-pair.ts';
import { ByteStrings, hashOf } from './byte-strings.ts';
import { longestShort, ShortPieces } from './short-pieces.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Longest piece, in bytes, whose count is remembered. Longer ones hardly ever come a second time. */
const longestRemembered = 128;
/** Pieces that are remembered. */
const mostRemembered = 65_536;
/** Bytes of all remembered pieces together. */
const mostRememberedBytes = 2 ** 20;

/** Counts the tokens of pieces, and remembers the counts of those that are not tokens themselves. */
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

  /** Tokens of a piece, which is not empty. */
  count(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): number {
    // Every byte is a token.
    if (end - start === 1) return 1;
    if (end - start > longestShort || start + longestShort > bytes.length) {
      return this.lookUp(bytes, start, end);
    }
    const known = this.short.countOf(bytes, start, end);
    if (known > 0) return known;
    const count = this.lookUp(bytes, start, end);
    this.short.learn(count);
    return count;
  }

  private lookUp(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length > longestRemembered) return this.encode(bytes, start, length);
    const hash = hashOf(bytes, start, end);
    if (this.vocabulary.find(bytes, start, end, hash) >= 0) return 1;
    const { remembered, counts } = this;
    const known = remembered.find(bytes, start, end, hash);
    if (known >= 0) return counts[known]!;
    const count = this.encode(bytes, start, length);
    // Starting over is simpler than finding out which pieces are old, and seldom: what is needed comes back at once.
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
