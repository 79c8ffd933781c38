import { PieceEncoding } from './byte-pair.ts';
import { endByte } from './character-classes.ts';
import { type PieceCounter, roomAfterStart } from './piece-counter.ts';
import { PieceScan, type ScanTable } from './piece-scan.ts';
import { isHighSurrogate, mostBytesPerUnit, unitsOf, writeUtf8 } from './utf8.ts';

/** Number of UTF-16 units scanned at once, so that their bytes stay in the processor's cache. */
const sliceUnits = 4_096;
/** Initial size of the buffer, and the maximum size that is kept for the next text, in bytes. */
const smallestOpen = 1_024;
const largestKept = 2 ** 20;

/** Maximum bytes of an open piece that is looked up each time, which is faster than storing its encoding. */
const longestLookedUp = 64;

const fewBytes = 512;

/** Maximum size of open pieces whose units are counted, in bytes. */
const mostOpen = 1_024;

/** A piece that may continue, with the state of its scan and encoding. */
interface OpenPiece {
  readonly scan: PieceScan;
  encoding: PieceEncoding | undefined;
  /** True if the open piece was counted before. A piece that is counted only once needs no encoding. */
  isCounted: boolean;
}

/**
 * Counts the tokens of a text that arrives in parts, exactly. A complete piece is counted once. Scan and encoding of an
 * open piece continue with the next part. The work for a part thus depends neither on the length of the text nor on the
 * length of the piece.
 */
export class RunningCount {
  private readonly table: ScanTable;
  private readonly pieces: PieceCounter;
  /** Bytes that are not finally counted, as UTF-8, with a few before them and an `endByte`. */
  private open = new Uint8Array(smallestOpen);
  private openLength = 0;
  /**
   * Pieces of these bytes if the text ended here. More text may change all but the first: `汉AB` is one piece
   * if lower case follows, and otherwise two.
   */
  private openPieces: OpenPiece[] = [];
  /** First half of a surrogate pair, until the next part; otherwise empty. */
  private half = '';
  private counted = 0;

  constructor(table: ScanTable, pieces: PieceCounter) {
    this.table = table;
    this.pieces = pieces;
    this.open[0] = endByte;
  }

  add(text: string, from = 0, to = text.length): void {
    if (from >= to) return;
    if (this.half !== '') {
      const whole = this.half + text.slice(from, to);
      this.half = '';
      this.add(whole);
      return;
    }
    const isHalf = isHighSurrogate(text.charCodeAt(to - 1));
    if (isHalf) this.half = text.charAt(to - 1);
    const last = isHalf ? to - 1 : to;
    for (let start = from; start < last;) {
      let end = Math.min(last, start + sliceUnits);
      if (end < last && isHighSurrogate(text.charCodeAt(end - 1))) end++;
      this.write(text, start, end);
      this.scan();
      this.letGo();
      start = end;
    }
  }

  total(): number {
    if (this.half === '') return this.counted + this.countOpen();
    // Until more text follows, the half counts as U+FFFD.
    const { openPieces, openLength, counted } = this;
    this.openPieces = openPieces.map((piece) => ({ ...piece, scan: piece.scan.copy() }));
    this.write(this.half, 0, 1);
    this.scan();
    const total = this.counted + this.countOpen();
    for (const { scan, encoding } of openPieces) encoding?.forgetAfter(openLength - scan.start);
    this.openPieces = openPieces;
    this.openLength = openLength;
    this.open[openLength] = endByte;
    this.counted = counted;
    return total;
  }

  get settled(): number {
    return this.counted;
  }

  /** Counts the UTF-16 units of open pieces. Infinite for a long rest, because each unit is counted. */
  openUnits(): number {
    const { open, openLength, openPieces, half } = this;
    const start = openPieces[0]?.scan.start ?? openLength;
    if (openLength - start > mostOpen) return Infinity;
    let units = half.length;
    for (let index = start; index < openLength; index++) units += unitsOf(open[index]!);
    return units;
  }

  clear(): void {
    if (this.open.length > largestKept) this.open = new Uint8Array(smallestOpen);
    this.openLength = 0;
    this.open[0] = endByte;
    this.openPieces.length = 0;
    this.half = '';
    this.counted = 0;
  }

  private write(text: string, start: number, end: number): void {
    const needed = this.openLength + (end - start) * mostBytesPerUnit + roomAfterStart;
    if (needed > this.open.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.open.length));
      larger.set(this.open.subarray(0, this.openLength));
      this.open = larger;
    }
    this.openLength = writeUtf8(text, start, end, this.open, this.openLength);
    this.open[this.openLength] = endByte;
  }

  private scan(): void {
    const { openPieces, open, openLength, table } = this;
    let start = 0;
    for (let first = openPieces[0]; first?.scan.advance(table, open) === true; first = openPieces[0]) {
      this.counted += this.countPiece(first);
      start = first.scan.end;
      openPieces.shift();
      // The first piece has become longer, so the pieces after it are invalid.
      if (openPieces[0]?.scan.start !== start) openPieces.length = 0;
    }
    if (openPieces.length === 0) this.countOver(start);
    let index = 1;
    for (let next = openPieces[0]?.scan.end ?? openLength; next < openLength; index++) {
      const { scan } = this.pieceAt(index, next);
      scan.advance(table, open);
      next = scan.end;
    }
    if (openPieces.length > index) openPieces.length = index;
  }

  /** Counts the complete pieces from a byte offset. The next piece becomes the first open piece. */
  private countOver(from: number): void {
    const { openPieces, open, openLength, table, pieces } = this;
    const scan = new PieceScan();
    let total = 0;
    for (let start = from; start < openLength; start = scan.end) {
      scan.begin(start);
      if (!scan.advance(table, open)) {
        openPieces.push({ scan, encoding: undefined, isCounted: false });
        break;
      }
      total += pieces.count(open, start, scan.end);
    }
    this.counted += total;
  }

  /** Returns the open piece that starts at a byte: the piece scanned before, or a new one. */
  private pieceAt(index: number, start: number): OpenPiece {
    const { openPieces } = this;
    const known = openPieces[index];
    if (known?.scan.start === start) return known;
    const piece = known ?? { scan: new PieceScan(), encoding: undefined, isCounted: false };
    piece.scan.begin(start);
    piece.encoding = undefined;
    piece.isCounted = false;
    openPieces[index] = piece;
    return piece;
  }

  private countPiece({ scan: { start, end }, encoding }: OpenPiece): number {
    return encoding?.count(this.open, start, end - start) ?? this.pieces.count(this.open, start, end);
  }

  private countOpen(): number {
    const { pieces, openPieces } = this;
    let total = 0;
    for (const piece of openPieces) {
      const isLong = piece.scan.end - piece.scan.start > longestLookedUp;
      if (isLong && piece.isCounted) piece.encoding ??= new PieceEncoding(pieces.vocabulary);
      piece.isCounted = true;
      total += this.countPiece(piece);
    }
    return total;
  }

  private letGo(): void {
    const { openPieces, open, openLength } = this;
    const [first] = openPieces;
    // Moving the others would take longer than keeping a few bytes.
    if (first === undefined || first.scan.start < fewBytes) return;
    const { start } = first.scan;
    open.copyWithin(0, start, openLength + 1);
    this.openLength -= start;
    for (const { scan } of openPieces) scan.moveBack(start);
  }
}
