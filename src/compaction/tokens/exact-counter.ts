import { PieceCounter, roomAfterStart } from './piece-counter.ts';
import { RunningCount } from './running-count.ts';
import type { ScanTable } from './piece-scan.ts';
import { scanTables } from './split-patterns.ts';
import { mostBytesPerUnit, writeUtf8 } from './utf8.ts';
import { type MergeFile, type RankFile, Vocabulary, type VocabularyTables } from './vocabulary.ts';

/** A loaded encoding as plain data, which another thread can use at once. */
export interface EncodingTables extends VocabularyTables {
  readonly pat_str: string;
}

/**
 * An exact counter for an encoding. Special tokens (`<|endoftext|>`) are counted as the ordinary text they
 * are in a message, and never throw. Split patterns with a table are several times as fast as others, which
 * use regular expressions.
 */
export class ExactCounter {
  readonly count: (text: string) => number;
  private readonly pattern: string;
  private readonly pieces: PieceCounter;
  private readonly table: ScanTable | undefined;

  constructor(source: RankFile | MergeFile | EncodingTables) {
    this.pattern = source.pat_str;
    this.pieces = new PieceCounter(new Vocabulary(source));
    this.table = scanTables.get(source.pat_str);
    const running = this.running();
    this.count =
      running === undefined
        ? countByPattern(new RegExp(source.pat_str, 'ug'), this.pieces)
        : (text) => {
            running.clear();
            running.add(text);
            return running.total();
          };
  }

  /** A counter of a string that arrives in parts; undefined if the split pattern has no table. */
  running(): RunningCount | undefined {
    return this.table && new RunningCount(this.table, this.pieces);
  }

  get tables(): EncodingTables {
    return { pat_str: this.pattern, ...this.pieces.vocabulary.tables };
  }
}

/** Makes a function that counts exactly. */
export function createTokenCounter(file: RankFile | MergeFile): (text: string) => number {
  return new ExactCounter(file).count;
}

/** UTF-16 units passed to a regular expression at once. */
const sliceUnits = 65_536;

/**
 * Counts with a split pattern. A piece is counted once two more have begun after it, so that the edge of a
 * slice has no effect. A piece as long as a slice extends the slice.
 *
 * @returns a function that throws `RangeError` if a piece of several million characters exhausts the stack of
 * V8's regular expressions
 */
function countByPattern(pattern: RegExp, pieces: PieceCounter): (text: string) => number {
  let buffer = new Uint8Array(1_024);

  const countPiece = (piece: string): number => {
    const most = piece.length * mostBytesPerUnit + roomAfterStart;
    if (most > buffer.length) buffer = new Uint8Array(2 * most);
    return pieces.count(buffer, 0, writeUtf8(piece, 0, piece.length, buffer, 0));
  };

  return (text) => {
    let total = 0;
    let units = sliceUnits;
    for (let start = 0; start < text.length;) {
      const isLast = start + units >= text.length;
      const found = [...text.slice(start, start + units).matchAll(pattern)];
      const open = isLast ? found.length : Math.max(0, found.length - 2);
      for (const [piece] of found.slice(0, open)) total += countPiece(piece);
      if (isLast) break;
      start += open === 0 ? 0 : found[open]!.index;
      units = open === 0 ? 2 * units : sliceUnits;
    }
    return total;
  };
}
